/// A wish to bring a message into view. A view scrolls when the number changes.
public struct ChatScreenScroll: Hashable, Sendable {
    /// Counts the wishes.
    public var number: UInt64 = 0
    /// The message to be shown.
    public var target: MessageID?
}
