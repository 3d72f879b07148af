/// Why this side closed a socket.
public enum CloseReason: String, Hashable, Sendable, CaseIterable {
    /// The chat screen went away and nothing asks for the socket to stay.
    case chatClosed
    /// The application went to the background.
    case background
    /// The pre-registration is done, or the first chat was asked for.
    case registered
    /// The user was logged out or de-authorised.
    case loggedOut
    /// Another user was authorised.
    case userChanged
    /// A step of the handshake was not answered in time.
    case handshakeTimeout
    /// Nothing came back on the socket.
    case linkDead
    /// The server does not accept the token.
    case unauthorized
    /// The server refused the registration.
    case refused
    /// The device is on another network; the next socket is opened at once.
    case networkChanged
    /// The store takes nothing, and more than may wait has come already.
    case storeFailed
}
