package import ServerKit

/// An error of the page's server.
///
/// - Remedy: Correct the setting, the address or the file that the reason names, then start a new instance.
public struct ChatPageServerError: Error, Sendable, CustomStringConvertible {
    /// The kind of error: stable, and safe as a metric label. More kinds may be added: compare with the constants, and
    /// handle unknown values.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// The port is in use by another process.
        public static let portInUse = Code(rawValue: "portInUse")
        /// The server cannot listen on the address, for another reason than a port in use.
        public static let cannotListen = Code(rawValue: "cannotListen")
        /// The certificates or the key of the TLS identity are unusable.
        public static let unusableIdentity = Code(rawValue: "unusableIdentity")
        /// A setting has an invalid value.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// A picture for themes cannot be read or used.
        public static let unusablePicture = Code(rawValue: "unusablePicture")
        /// The server is running or has already run. An instance can run only once.
        public static let alreadyRun = Code(rawValue: "alreadyRun")
        /// The server ended unexpectedly.
        public static let brokenOff = Code(rawValue: "brokenOff")
        /// The server stopped before it listened, or while a caller waited for it.
        public static let stopped = Code(rawValue: "stopped")
    }

    /// The kind of error.
    public var code: Code
    /// A description in one sentence.
    public var reason: String
    /// The file concerned.
    public var path: String?
    /// The port concerned.
    public var port: Int?
    /// The underlying error, if there is one.
    public var underlying: (any Error)?

    /// Creates an error.
    public init(
        _ code: Code, reason: String, path: String? = nil, port: Int? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.reason = reason
        self.path = path
        self.port = port
        self.underlying = underlying
    }

    /// The reason.
    public var description: String { reason }
}

extension ChatPageServerError: ServerError {
    package init(_ failure: ServerFailure) {
        self.init(
            Code(rawValue: failure.code.rawValue), reason: failure.reason, path: failure.path, port: failure.port,
            underlying: failure.underlying)
    }
}
