/// The reason why this side closed a socket.
public enum CloseReason: String, Hashable, Sendable, CaseIterable {
    /// The chat screen was closed, and nothing else needs the socket.
    case chatClosed
    /// The application went to the background.
    case background
    /// The pre-registration is complete, or the first chat was requested.
    case registered
    /// The user was logged out or deauthorized.
    case loggedOut
    /// Another user was authorized.
    case userChanged
    /// A step of the handshake timed out.
    case handshakeTimeout
    /// The server did not answer on the socket.
    case linkDead
    /// The server rejected the token.
    case unauthorized
    /// The server refused the registration.
    case refused
    /// The device changed to another network. The next socket opens at once.
    case networkChanged
    /// The store fails, and the limit of unsaved changes is exceeded.
    case storeFailed
}
