import ChatWire

/// A frame that waits to be sent.
struct HeldFrame: Hashable, Sendable {
    /// When the frame is sent, on the monotonic clock.
    var due: Int64
    var connection: ConnectionID
    var frame: ServerFrame
    /// Whether later frames must wait for this one.
    var keepsOrder: Bool
    /// Whether the next push over the same connection releases the frame.
    var isSwapped = false
}
