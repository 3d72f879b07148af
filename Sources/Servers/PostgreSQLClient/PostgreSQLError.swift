#if PostgreSQL

/// A failure of a PostgreSQL client. No text contains a password or a parameter of a statement.
package struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The URL is not valid, or weaker than allowed.
        case invalidURL
        /// The server cannot be reached, or is starting or ending.
        case unreachable
        /// The server refused the user or the password, or the server was not verified.
        case refusedConnection
        /// The server's version is not supported.
        case unsupportedServer
        /// The connection was lost. A running transaction may or may not have been committed.
        case connectionLost
        /// The transaction conflicted with another one, and can be tried again.
        case conflict
        /// The time limit was exceeded.
        case timedOut
        /// The task was cancelled.
        case cancelled
        /// Too many calls wait for a connection.
        case busy
        /// The client was closed.
        case closed
        /// The server refused a statement.
        case refusedStatement
        /// The server's answer has another form than the statement.
        case unexpectedAnswer
    }

    package var code: Code
    /// A description in one sentence.
    package var reason: String
    /// The SQLSTATE of an error of the server, five characters.
    package var state: String?

    package init(_ code: Code, _ reason: String, state: String? = nil) {
        self.code = code
        self.reason = reason
        self.state = state
    }

    /// Creates the error for a SQLSTATE (PostgreSQL, appendix A).
    init(state: String, message: String) {
        let code: Code
        switch state {
        case "40001", "40P01", "55P03": code = .conflict
        case "57014": code = .timedOut
        case "57P01", "57P02", "57P05": code = .connectionLost
        case "57P03": code = .unreachable
        case _ where state.hasPrefix("08"): code = .connectionLost
        case _ where state.hasPrefix("28"): code = .refusedConnection
        default: code = .refusedStatement
        }
        self.init(code, "PostgreSQL: \(message) (\(state))", state: state)
    }

    /// Whether the same call may succeed on another connection.
    package var isTransient: Bool {
        switch code {
        case .connectionLost, .conflict, .unreachable: true
        default: false
        }
    }

    package var description: String { reason }
}

#endif
