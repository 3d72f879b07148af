package import ServerKit

/// Why a collector of pin-failure reports cannot run.
public struct ReportCollectorError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// Another process listens on the port.
        public static let portInUse = Code(rawValue: "portInUse")
        /// The address cannot be listened on, for another reason than a port in use.
        public static let cannotListen = Code(rawValue: "cannotListen")
        /// The address is reachable from other machines, and there is no TLS.
        public static let cleartext = Code(rawValue: "cleartext")
        /// The certificate or the key for TLS cannot be read, or they do not belong together.
        public static let unusableIdentity = Code(rawValue: "unusableIdentity")
        /// The token that readers show cannot be used.
        public static let unusableToken = Code(rawValue: "unusableToken")
        /// The database cannot be opened, is none, or is one of another program or of a newer collector.
        public static let unreadableDatabase = Code(rawValue: "unreadableDatabase")
        /// The database could not be written: the disk is full, or gone.
        public static let databaseWriteFailed = Code(rawValue: "databaseWriteFailed")
        /// A setting has a value that cannot be honoured.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// The collector runs already, or has run: an instance runs once.
        public static let alreadyRun = Code(rawValue: "alreadyRun")
        /// The collector has broken off while it ran.
        public static let brokenOff = Code(rawValue: "brokenOff")
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person.
    public var reason: String
    /// The error below, where there is one.
    public var underlying: (any Error)?

    /// Makes an error.
    public init(_ code: Code, _ reason: String, underlying: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlying = underlying
    }

    public var description: String { reason }
}

extension ReportCollectorError: ServerError {
    package init(_ failure: ServerFailure) {
        let code = failure.code == .stopped ? .brokenOff : Code(rawValue: failure.code.rawValue)
        self.init(code, failure.reason, underlying: failure.underlying)
    }
}
