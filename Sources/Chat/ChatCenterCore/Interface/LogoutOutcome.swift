/// The outcome of a logout. In every case, the user's data is deleted from this device.
public enum LogoutOutcome: String, Hashable, Sendable {
    /// The server confirmed the logout.
    case server
    /// The server has not confirmed the logout yet. The SDK retries later.
    case localOnlyPending
    /// No user was authorized.
    case notAuthorized
}
