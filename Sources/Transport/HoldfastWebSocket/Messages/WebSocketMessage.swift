/// One whole message.
public enum WebSocketMessage: Hashable, Sendable {
    /// Text; what arrives has been checked to be valid UTF-8.
    case text(String)
    /// Any bytes.
    case binary([UInt8])

    /// The number of bytes of payload.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}
