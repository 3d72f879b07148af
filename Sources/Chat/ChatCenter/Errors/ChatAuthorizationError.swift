public import HoldfastTrust

/// Why a user is not authorised.
public struct ChatAuthorizationError: Error, CustomStringConvertible, Sendable {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The user has no identifier.
        case emptyIdentifier
        /// A credential cannot be sent: it holds a line break or the like.
        case invalidCredentials
        /// What is kept of the user on this device cannot be read.
        case store
        /// The configuration or the history could not be fetched. The user *is* authorised, and the SDK goes on trying
        /// when the chat is opened.
        case network
        /// Another call of `authorize`, `logout` or `deauthorizeUser` came before the answer.
        case superseded
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person.
    public var reason: String
    /// The error behind it; a ``ChatNetworkError`` where ``code-swift.property`` is ``Code-swift.enum/network``.
    public var underlying: (any Error)?

    init(_ code: Code, _ reason: String, underlying: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlying = underlying
    }

    /// The verdict on a server that was refused.
    public var verdict: TrustVerdict? { (underlying as? ChatNetworkError)?.verdict }

    /// Why there is no way to the server, and what to do about it.
    public var diagnosis: ChatConnectionDiagnosis? { (underlying as? ChatNetworkError)?.diagnosis }

    public var description: String { "\(code.rawValue): \(reason)" }
}
