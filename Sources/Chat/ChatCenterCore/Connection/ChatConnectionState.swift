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
