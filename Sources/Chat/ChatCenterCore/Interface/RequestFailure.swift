/// Why a question has no answer.
public enum RequestFailure: Error, Hashable, Sendable {
    /// Nobody is authorised.
    case notAuthorized
    /// The user has no identifier.
    case emptyIdentifier
    /// The configuration switches it off.
    case disabled
    /// The call failed, or the server refused it.
    case transport(TransportFailure)
    /// The user was logged out or changed before the answer came.
    case superseded
}
