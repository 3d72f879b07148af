/// What became of a logout. Nothing of the user is left on this device in any case.
public enum LogoutOutcome: String, Hashable, Sendable {
    /// The server knows.
    case server
    /// The server could not be told yet; it is tried again later.
    case localOnlyPending
    /// Nobody was authorised.
    case notAuthorized
}
