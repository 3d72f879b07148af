/// Why a server cannot start, cannot continue or has ended.
///
/// A server converts a failure to its own public error: see ``ServerError``.
package struct ServerFailure: Sendable {
    /// The kind of failure. The errors of the servers have codes with the same names.
    package enum Code: String, Hashable, Sendable {
        /// The port is in use by another process.
        case portInUse
        /// The server cannot listen on the address, for another reason than a port in use.
        case cannotListen
        /// The server is running or has already run. An instance can run only once.
        case alreadyRun
        /// The server ended unexpectedly.
        case brokenOff
        /// The server was stopped.
        case stopped
        /// The database cannot be opened: the file is not a database, or belongs to another program or a newer server.
        case unreadableDatabase
        /// The database could not be written, for example because the disk is full.
        case databaseWriteFailed
        /// The certificates or the key for TLS cannot be read, or they do not match.
        case unusableIdentity
        /// The token of readers or operators is invalid.
        case unusableToken
    }

    /// The kind of failure.
    package var code: Code
    /// A description in one sentence.
    package var reason: String
    /// The file concerned.
    package var path: String?
    /// The port concerned.
    package var port: Int?
    /// The underlying error, if there is one.
    package var underlying: (any Error)?
}

/// A server's public error. The types of this module throw it directly, so that servers need not convert errors at each
/// call.
package protocol ServerError: Error {
    /// Creates the server's error from a failure.
    init(_ failure: ServerFailure)
}

extension ServerError {
    /// Creates the server's error from the parts of a failure.
    init(
        _ code: ServerFailure.Code, _ reason: String, path: String? = nil, port: Int? = nil,
        underlying: (any Error)? = nil
    ) {
        self.init(ServerFailure(code: code, reason: reason, path: path, port: port, underlying: underlying))
    }
}
