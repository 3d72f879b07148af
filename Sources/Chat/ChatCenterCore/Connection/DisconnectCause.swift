/// Why a socket was lost, or did not come to be, without this side wanting it.
public enum DisconnectCause: Hashable, Sendable {
    /// The connection could not be made, or broke.
    case transport(TransportFailure)
    /// A step of the handshake was not answered within `WSConfig.connectionTimeout`.
    case handshakeTimeout(HandshakeStep)
    /// The server closed the socket.
    case closedByServer(code: UInt16?, reason: String, retryAfterMilliseconds: Int64?)
    /// The server answered a step of the handshake with a failure.
    case refused(HandshakeStep, ServerRefusal)
    /// Nothing came back on the socket although something was asked.
    case linkDead
    /// Nothing was lost: so many sockets were opened within a short time that the next one waits.
    case tooManyAttempts
}
