/// The identity of a message: the UUID that its author created. It is the same on both sides and after a restart.
public struct MessageID: Hashable, Sendable, CustomStringConvertible {
    /// The UUID as text.
    public let text: String

    /// Creates an id from a UUID.
    public init(_ text: String) {
        self.text = text
    }

    /// The UUID as text.
    public var description: String { text }
}
