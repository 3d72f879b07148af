package import ServerKit

/// An error of a collector of pin-failure reports.
///
/// - Remedy: Correct the setting, the address or the file that the reason names, then start a new instance.
public struct ReportCollectorError: Error, Sendable, CustomStringConvertible {
    /// The kind of error. Stable, and safe as a metric label. New kinds may be added: compare with the constants, and
    /// handle unknown kinds.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// The port is in use by another process.
        public static let portInUse = Code(rawValue: "portInUse")
        /// The collector cannot listen on the address, for another reason than a port in use.
        public static let cannotListen = Code(rawValue: "cannotListen")
        /// Other machines can reach the address, but TLS is not configured.
        public static let cleartext = Code(rawValue: "cleartext")
        /// The certificate or the key for TLS cannot be read, or they do not match.
        public static let unusableIdentity = Code(rawValue: "unusableIdentity")
        /// The readers' token is invalid.
        public static let unusableToken = Code(rawValue: "unusableToken")
        /// The database cannot be opened: the file is not a database, or belongs to another program or a newer
        /// collector.
        public static let unreadableDatabase = Code(rawValue: "unreadableDatabase")
        /// The database could not be written, for example because the disk is full.
        public static let databaseWriteFailed = Code(rawValue: "databaseWriteFailed")
        /// The PostgreSQL server cannot be reached, refuses the connection, or is not verified.
        public static let unreachableDatabase = Code(rawValue: "unreachableDatabase")
        /// The database contains more reports than the limits allow, and older ones could not be removed.
        ///
        /// - Error: HTTP 503
        public static let databaseFull = Code(rawValue: "databaseFull")
        /// The database contains as many recent identities of reports as the limits allow.
        ///
        /// - Error: HTTP 503
        public static let identitiesFull = Code(rawValue: "identitiesFull")
        /// Too many reports wait for the database.
        ///
        /// - Error: HTTP 503
        public static let overloaded = Code(rawValue: "overloaded")
        /// The build does not support PostgreSQL: it was made without the package trait `PostgreSQL`.
        public static let unsupportedDatabase = Code(rawValue: "unsupportedDatabase")
        /// A setting has an invalid value.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// The collector is running or has already run. An instance can run only once.
        public static let alreadyRun = Code(rawValue: "alreadyRun")
        /// The collector ended unexpectedly.
        public static let brokenOff = Code(rawValue: "brokenOff")
    }

    /// The kind of error.
    public var code: Code
    /// A description in one sentence.
    public var reason: String
    /// The underlying error, if there is one.
    public var underlying: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ reason: String, underlying: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlying = underlying
    }

    /// The error for a batch whose identities have no place.
    static var identitiesFull: ReportCollectorError {
        ReportCollectorError(
            .identitiesFull,
            "The database has as many recent identities of reports as the limits allow. Reports are accepted again "
                + "when the oldest ones are 30 minutes old.")
    }

    /// The reason.
    public var description: String { reason }
}

extension ReportCollectorError: ServerError {
    package init(_ failure: ServerFailure) {
        let code = failure.code == .stopped ? .brokenOff : Code(rawValue: failure.code.rawValue)
        self.init(code, failure.reason, underlying: failure.underlying)
    }
}
