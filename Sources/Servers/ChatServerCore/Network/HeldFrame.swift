import ChatWire

/// A frame that waits to be sent.
struct HeldFrame: Hashable, Sendable {
    /// When it is sent, on the monotonic clock.
    var due: Int64
    var connection: ConnectionID
    var frame: ServerFrame
    /// Whether what is sent behind it must not come before it.
    var keepsOrder: Bool
    /// Whether the next push over the same connection sets it free.
    var isSwapped = false
}
