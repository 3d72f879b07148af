package import ServerKit

/// An error of the development server.
///
/// - Remedy: Correct the setting, the address or the file that the reason names, then start a new instance.
public struct ChatDevServerError: Error, Sendable, CustomStringConvertible {
    /// The kind of error. Stable, and safe as a metric label.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let description: String

        fileprivate init(_ name: String) { description = name }

        /// The port is in use by another process.
        public static let portInUse = Code("portInUse")
        /// The server cannot listen on the address, for another reason than a port in use.
        public static let cannotListen = Code("cannotListen")
        /// The database cannot be opened: the file is not a database, or a newer server created it.
        public static let unreadableDatabase = Code("unreadableDatabase")
        /// The database could not be written.
        public static let databaseWriteFailed = Code("databaseWriteFailed")
        /// The directory for uploaded files cannot be created or written.
        public static let unusableFilesDirectory = Code("unusableFilesDirectory")
        /// The certificates or the key of a TLS identity are unusable.
        public static let unusableIdentity = Code("unusableIdentity")
        /// A TLS identity was set, but the server does not use TLS.
        public static let noTLS = Code("noTLS")
        /// A setting has an invalid value.
        public static let invalidConfiguration = Code("invalidConfiguration")
        /// The server is running or has already run. An instance can run only once.
        public static let alreadyRun = Code("alreadyRun")
        /// The server stopped before it listened, or while a caller waited for it.
        public static let stopped = Code("stopped")
    }

    /// The kind of error.
    public var code: Code
    /// A description in one sentence.
    public var reason: String
    /// The file or directory concerned.
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

extension ChatDevServerError: ServerError {
    package init(_ failure: ServerFailure) {
        let code: Code =
            switch failure.code {
            case .brokenOff: .stopped
            case .unusableToken: .invalidConfiguration
            default: Code(failure.code.rawValue)
            }
        self.init(code, reason: failure.reason, path: failure.path, port: failure.port, underlying: failure.underlying)
    }
}
