/// The identity of a message: the uuid that its author made, the same on both ends and after a restart.
public struct MessageID: Hashable, Sendable, CustomStringConvertible {
    /// The uuid as text.
    public let text: String

    /// A message with this uuid.
    public init(_ text: String) {
        self.text = text
    }

    public var description: String { text }
}
