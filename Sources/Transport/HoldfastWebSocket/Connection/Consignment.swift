/// What a sender gives: a whole message, or a piece of one whose end is not known yet.
enum Consignment: Hashable, Sendable {
    case message(WebSocketMessage)
    case piece(OutboundFrame.Payload, WebSocketPart.Kind, isLast: Bool)

    /// What it counts for in the outbox: its bytes, and a little for its header, so that many empty ones fill it, too.
    var weight: Int {
        switch self {
        case .message(let message): message.byteCount + FrameHeader.maximumSize
        case .piece(let payload, _, _): payload.count + FrameHeader.maximumSize
        }
    }
}
