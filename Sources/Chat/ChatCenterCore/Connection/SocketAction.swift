/// What the supervisor wants done.
enum SocketAction: Hashable, Sendable {
    case open(Generation)
    case close(Generation, CloseReason)
    /// Send `registerDevice`.
    case register
    /// Send CLIENT_INFO.
    case introduce
    case becameReady
    case ping(Generation)
    /// The socket is gone without this side wanting it.
    case lost(DisconnectCause)
}
