import ChatWire

/// Tracks the frames that wait for their replies on the live socket, in the order in which they were sent, and which
/// replies are overdue.
struct FrameLedger: Hashable, Sendable {
    /// The purpose of a frame, which decides how its reply is handled.
    enum Purpose: Hashable, Sendable {
        case register
        case introduce
        case message(MessageID)
        case reading([MessageID])
        case farewell
        /// Typing, a repeated CLIENT_INFO, `delivered` or `ping`. Nothing depends on the reply.
        case courtesy

        fileprivate var message: MessageID? {
            if case .message(let id) = self { id } else { nil }
        }

        fileprivate var isReading: Bool {
            if case .reading = self { true } else { false }
        }
    }

    private struct Frame: Hashable, Sendable {
        var correlationID: String
        var purpose: Purpose
        /// The time when the ledger stops waiting for the reply, on the monotonic clock.
        var expires: Int64?
        /// The number of pings that were sent on the socket before this frame.
        var pingsBefore: UInt64
        /// The time until which an overdue reply is awaited, on the monotonic clock. Set when the server answered
        /// something that was sent later.
        var overdueAt: Int64?
        /// The message was looked up or sent again after this frame. A reply to the frame still counts.
        var isPast = false
    }

    /// The largest number of frames that wait for a reply. Above it, the oldest courtesy frame is forgotten.
    static let longestList = 256
    /// The time that an overdue reply is awaited after the server answered something sent later, in milliseconds. A
    /// server may answer a ping while it is still processing an earlier message.
    static let patience: Int64 = 2500

    /// The credentials that the socket was opened with.
    let credentials: WireCredentials?
    private var frames: [Frame] = []
    // Pongs arrive in the order of the pings. The counters therefore show whether a ping that followed a frame was
    // answered.
    private var sentPings: UInt64 = 0
    private var answeredPings: UInt64 = 0

    init(credentials: WireCredentials? = nil) {
        self.credentials = credentials
    }

    // MARK: Looking

    /// Whether the server still owes an acknowledgement for a message, a read mark or a logout.
    var awaitsAcknowledgement: Bool {
        frames.contains { frame in
            switch frame.purpose {
            case .message, .reading, .farewell: true
            case .register, .introduce, .courtesy: false
            }
        }
    }

    /// Whether read marks wait for their reply.
    var awaitsReading: Bool { frames.contains { $0.purpose.isReading } }

    /// Returns the correlation id of the newest frame whose message satisfies the condition.
    func newestFrame(where waits: (MessageID) -> Bool) -> String? {
        frames.last { $0.purpose.message.map(waits) ?? false }?.correlationID
    }

    /// The time of the next call of `expire`, on the monotonic clock.
    var wake: Int64? { frames.lazy.flatMap { [$0.expires, $0.overdueAt] }.compactMap(\.self).min() }

    // MARK: Outgoing frames

    /// Records a frame that was written to the socket. Read marks wait for their reply until `readingEnd`.
    mutating func sent(_ correlationID: String, for purpose: Purpose, readingEnd: Deadline) {
        if frames.count >= Self.longestList, let oldest = frames.firstIndex(where: { $0.purpose == .courtesy }) {
            frames.remove(at: oldest)
        }
        for index in frames.indices where frames[index].purpose.message != nil && frames[index].purpose == purpose {
            frames[index].isPast = true
            frames[index].overdueAt = nil
        }
        frames.append(
            Frame(
                correlationID: correlationID, purpose: purpose,
                expires: purpose.isReading ? readingEnd.monotonic : nil, pingsBefore: sentPings))
    }

    /// Records a ping.
    mutating func pinged() { sentPings += 1 }

    // MARK: Incoming frames

    /// Takes the purpose of the frame that a server frame replies to. Messages that were sent earlier and have no reply
    /// become overdue.
    ///
    /// - Returns: The purpose, and whether a later frame with the same purpose has no reply. Each reply is used once.
    mutating func takeReply(
        to correlationID: String?, at now: Moment
    ) -> (purpose: Purpose?, isSuperseded: Bool) {
        guard let correlationID, let index = frames.firstIndex(where: { $0.correlationID == correlationID }) else {
            return (nil, false)
        }
        let purpose = frames.remove(at: index).purpose
        for earlier in 0..<index { noteOverdue(earlier, at: now) }
        return (purpose, frames[index...].contains { $0.purpose == purpose })
    }

    /// Handles a pong. Messages that were sent before its ping and have no reply become overdue.
    mutating func ponged(at now: Moment) {
        answeredPings += 1
        for index in frames.indices where frames[index].pingsBefore < answeredPings { noteOverdue(index, at: now) }
    }

    /// Records that the server answered something that was sent after this frame. Servers usually answer in order, so
    /// the frame or its reply was probably lost.
    private mutating func noteOverdue(_ index: Int, at now: Moment) {
        let frame = frames[index]
        guard frame.purpose.message != nil, !frame.isPast, frame.overdueAt == nil else { return }
        frames[index].overdueAt = now.after(milliseconds: Self.patience).monotonic
    }

    /// Stops waiting for expired frames. Returns the messages whose replies are overdue for too long, each of them
    /// once.
    mutating func expire(at now: Moment) -> [MessageID] {
        var overdue: [MessageID] = []
        for index in frames.indices {
            guard let end = frames[index].overdueAt, end <= now.monotonic else { continue }
            frames[index].overdueAt = nil
            frames[index].isPast = true
            if let id = frames[index].purpose.message { overdue.append(id) }
        }
        frames.removeAll { ($0.expires ?? .max) <= now.monotonic }
        return overdue
    }

    // MARK: Removal

    /// Stops waiting for replies to a message that the server has.
    mutating func arrived(_ message: MessageID) { frames.removeAll { $0.purpose.message == message } }

    /// Removes the frame of a message that was not sent. Returns the message; `nil` for any other frame, which stays.
    mutating func takeBack(_ correlationID: String?) -> MessageID? {
        guard let index = frames.firstIndex(where: { $0.correlationID == correlationID }),
            let message = frames[index].purpose.message
        else { return nil }
        frames.remove(at: index)
        return message
    }
}
