package import ServerKit

/// Why the development server cannot run.
public struct ChatDevServerError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let description: String

        fileprivate init(_ name: String) { description = name }

        /// Another process listens on the port.
        public static let portInUse = Code("portInUse")
        /// The address cannot be listened on, for another reason than a port in use.
        public static let cannotListen = Code("cannotListen")
        /// The database file cannot be opened, is no database, or is one of a newer server.
        public static let unreadableDatabase = Code("unreadableDatabase")
        /// The database could not be written.
        public static let databaseWriteFailed = Code("databaseWriteFailed")
        /// The directory for uploaded files cannot be made or written.
        public static let unusableFilesDirectory = Code("unusableFilesDirectory")
        /// A TLS identity's certificates or key cannot be used.
        public static let unusableIdentity = Code("unusableIdentity")
        /// The server was asked for TLS with another identity, but speaks cleartext.
        public static let noTLS = Code("noTLS")
        /// A setting has a value that cannot be honoured.
        public static let invalidConfiguration = Code("invalidConfiguration")
        /// The server runs already, or has run: an instance runs once.
        public static let alreadyRun = Code("alreadyRun")
        /// The server stopped before it was asked to listen or while it was waited for.
        public static let stopped = Code("stopped")
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person.
    public var reason: String
    /// The file or directory that the failure is about.
    public var path: String?
    /// The port that the failure is about.
    public var port: Int?
    /// The error below, where there is one.
    public var underlying: (any Error)?

    /// Makes an error.
    public init(
        _ code: Code, reason: String, path: String? = nil, port: Int? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.reason = reason
        self.path = path
        self.port = port
        self.underlying = underlying
    }

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
        self.init(
            code, reason: failure.reason, path: failure.path, port: failure.port, underlying: failure.underlying)
    }
}
