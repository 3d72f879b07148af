/// The connection as the host application and the screen see it.
public enum ChatConnectionState: Hashable, Sendable {
    /// Nothing asks for a connection.
    case idle
    /// Dial, TLS, upgrade.
    case connecting
    /// `registerDevice` and CLIENT_INFO are on their way.
    case registering
    /// Messages go through.
    case ready
    /// The socket was lost; the next try is made at the given wall-clock time (milliseconds since 1970).
    case waitingToReconnect(attempt: Int, atMilliseconds: Int64, cause: DisconnectCause)
    /// The socket was closed on purpose, or nothing is tried any more until the host application acts.
    case closed(CloseReason)
}
