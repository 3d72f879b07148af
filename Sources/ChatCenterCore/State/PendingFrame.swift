/// A frame that waits for its reply on the live socket.
struct PendingFrame: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case register
        case introduce
        case message(MessageID)
        case reading([MessageID])
        case farewell
        /// Typing, a second CLIENT_INFO, `delivered`, `ping`: nothing depends on the reply.
        case courtesy
    }

    var correlationID: String
    var purpose: Purpose
    /// On the monotonic clock; nobody waits for the reply any longer.
    var expires: Int64?

    var isReading: Bool {
        if case .reading = purpose { true } else { false }
    }
}
