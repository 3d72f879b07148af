/// A part of a message, as it arrives.
public struct WebSocketPart: Hashable, Sendable {
    /// What a message is.
    public enum Kind: Hashable, Sendable {
        /// UTF-8.
        case text
        /// Any bytes.
        case binary
    }

    /// What the message is.
    public var kind: Kind
    /// The bytes. Those of a text have been checked to be valid UTF-8 so far; a part may end within a character. Only the
    /// last part of a message, or the only one, may be empty.
    public var bytes: [UInt8]
    /// Whether the message ends with this part.
    public var isLast: Bool

    /// Makes a part.
    public init(kind: Kind, bytes: [UInt8], isLast: Bool) {
        self.kind = kind
        self.bytes = bytes
        self.isLast = isLast
    }
}
