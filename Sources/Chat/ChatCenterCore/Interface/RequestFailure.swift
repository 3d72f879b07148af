/// The reason why a request failed.
public enum RequestFailure: Error, Hashable, Sendable {
    /// No user is authorized.
    case notAuthorized
    /// The user's identifier is empty.
    case emptyIdentifier
    /// The configuration disables this request.
    case disabled
    /// The call failed, or the server refused it.
    case transport(TransportFailure)
    /// The user was logged out or replaced before the answer arrived.
    case superseded
}
