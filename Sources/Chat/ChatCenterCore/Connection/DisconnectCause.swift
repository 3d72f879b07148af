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
