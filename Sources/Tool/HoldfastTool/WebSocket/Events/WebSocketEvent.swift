import HoldfastWebSocket

/// Something that `holdfast ws` tells. ``lines`` and ``json(at:)`` make what a server wrote safe to print.
enum WebSocketEvent: TerminalEvent, Hashable, Sendable {
    /// The server is accepted, and has granted the upgrade.
    case connected(WebSocketFacts)
    /// There is no connection, and why.
    case failed(WebSocketFailure)
    /// A message has come.
    case message(WebSocketMessage)
    /// A message of this many bytes is on its way.
    case sent(WebSocketPart.Kind, bytes: Int)
    /// The server has sent a ping with this payload. It is answered.
    case ping([UInt8])
    /// The pong to a ping of ours came after this time; `nil`: it did not come in time.
    case pong(Duration?)
    /// A frame went by.
    case frame(FrameSighting)
    /// The connection has ended.
    case closed(WebSocketEnd)
}
