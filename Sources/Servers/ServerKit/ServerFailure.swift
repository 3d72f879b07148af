/// Why a server cannot start, cannot go on, or has ended, in words for the person who runs it.
///
/// A server converts a failure to its own public error: see ``ServerError``.
package struct ServerFailure: Sendable {
    /// The kind of failure. The errors of the servers have codes of the same names.
    package enum Code: String, Hashable, Sendable {
        /// Another process listens on the port.
        case portInUse
        /// The address cannot be listened on, for another reason than a port in use.
        case cannotListen
        /// The server runs already, or has run: an instance runs once.
        case alreadyRun
        /// The server has ended, although it was not asked to.
        case brokenOff
        /// The server has ended, because it was asked to.
        case stopped
        /// The database cannot be opened, is not a database, or belongs to another program or to a newer server.
        case unreadableDatabase
        /// The database could not be written: the disk is full, or gone.
        case databaseWriteFailed
        /// The certificates or the key for TLS cannot be read, or they do not belong together.
        case unusableIdentity
        /// The token that readers or operators show cannot be used.
        case unusableToken
    }

    /// The kind of failure.
    package var code: Code
    /// One sentence for a person.
    package var reason: String
    /// The file that the failure is about.
    package var path: String?
    /// The port that the failure is about.
    package var port: Int?
    /// The error below, if there is one.
    package var underlying: (any Error)?
}

/// A server's public error. The types of this module throw it directly, so that no server converts errors at each call.
package protocol ServerError: Error {
    /// Makes the server's error from a failure.
    init(_ failure: ServerFailure)
}

extension ServerError {
    /// Makes the server's error from the parts of a failure.
    init(
        _ code: ServerFailure.Code, _ reason: String, path: String? = nil, port: Int? = nil,
        underlying: (any Error)? = nil
    ) {
        self.init(ServerFailure(code: code, reason: reason, path: path, port: port, underlying: underlying))
    }
}
