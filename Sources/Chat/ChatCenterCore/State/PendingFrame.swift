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
    /// The number of pings that were sent on the socket before this frame.
    var pingsBefore: UInt64 = 0
    /// Set when the server answered something that was sent later: until when the reply is still waited for, on the
    /// monotonic clock.
    var overdueAt: Int64?
    /// The message was looked up or sent again after this frame. A reply to the frame still counts.
    var isPast = false

    /// How long a reply is waited for after the server answered something that was sent later, in milliseconds. A server
    /// may answer a ping while it is still processing an earlier message.
    static let patience: Int64 = 2500

    var isReading: Bool {
        if case .reading = purpose { true } else { false }
    }

    var message: MessageID? {
        if case .message(let id) = purpose { id } else { nil }
    }
}
