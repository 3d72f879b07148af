/// What a reader gets: a whole message, or a part of one where messages are delivered in parts.
enum Parcel: Hashable, Sendable {
    case message(WebSocketMessage)
    case part(WebSocketPart)

    /// The number of bytes of payload.
    var byteCount: Int {
        switch self {
        case .message(let message): message.byteCount
        case .part(let part): part.bytes.count
        }
    }
}
