/// A request to scroll to a message. A view scrolls when the number changes.
public struct ChatScreenScroll: Hashable, Sendable {
    /// The number of requests so far.
    public var number: UInt64 = 0
    /// The message to scroll to.
    public var target: MessageID?
}
