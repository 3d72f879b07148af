/// The state of the connection, for the host application and the screen.
public enum ChatConnectionState: Hashable, Sendable {
    /// No connection is needed.
    case idle
    /// The socket is being opened: dial, TLS handshake and upgrade.
    case connecting
    /// `registerDevice` and CLIENT_INFO are in progress.
    case registering
    /// The connection can send and receive messages.
    case ready
    /// The socket was lost. The next attempt starts at the given wall-clock time, in milliseconds since 1970.
    case waitingToReconnect(attempt: Int, atMilliseconds: Int64, cause: DisconnectCause)
    /// This side closed the socket, or there are no more attempts until the host application acts.
    case closed(CloseReason)
}

/// The reason why a socket was lost or could not be opened, other than a decision of this side.
public enum DisconnectCause: Hashable, Sendable {
    /// The connection could not be made, or it broke.
    case transport(TransportFailure)
    /// A step of the handshake was not answered within `WSConfig.connectionTimeout`.
    case handshakeTimeout(HandshakeStep)
    /// The server closed the socket.
    case closedByServer(code: UInt16?, reason: String, retryAfterMilliseconds: Int64?)
    /// The server refused a step of the handshake.
    case refused(HandshakeStep, ServerRefusal)
    /// The server did not answer a probe on the socket.
    case linkDead
    /// No socket was lost. Too many sockets were opened within a short time, so the next one is delayed.
    case tooManyAttempts
}

/// A step of the handshake that makes a socket ready for messages.
public enum HandshakeStep: String, Hashable, Sendable, CaseIterable {
    /// Dial, TLS handshake and WebSocket upgrade.
    case upgrade
    /// `registerDevice` and its reply.
    case registerDevice
    /// CLIENT_INFO and its reply.
    case clientInfo
}

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
