import ChatWire

/// The frames that wait for their replies on the live socket, in the order in which they were sent, and which of the replies
/// are overdue.
struct FrameLedger: Hashable, Sendable {
    /// What the reply to a frame is for.
    enum Purpose: Hashable, Sendable {
        case register
        case introduce
        case message(MessageID)
        case reading([MessageID])
        case farewell
        /// Typing, a second CLIENT_INFO, `delivered`, `ping`: nothing depends on the reply.
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
        /// When the ledger stops waiting for the reply, on the monotonic clock.
        var expires: Int64?
        /// The number of pings that were sent on the socket before this frame.
        var pingsBefore: UInt64
        /// Set when the server answered something that was sent later: until when the reply is still waited for, on the
        /// monotonic clock.
        var overdueAt: Int64?
        /// The message was looked up or sent again after this frame. A reply to the frame still counts.
        var isPast = false
    }

    /// Frames of which the reply is awaited; the oldest courtesy is forgotten beyond.
    static let longestList = 256
    /// How long a reply is waited for after the server answered something that was sent later, in milliseconds. A server
    /// may answer a ping while it is still processing an earlier message.
    static let patience: Int64 = 2500

    /// What the socket was opened with.
    let credentials: WireCredentials?
    private var frames: [Frame] = []
    // Pongs arrive in the order of the pings, so the numbers tell whether a ping that was sent after a frame was answered.
    private var sentPings: UInt64 = 0
    private var answeredPings: UInt64 = 0

    init(credentials: WireCredentials? = nil) {
        self.credentials = credentials
    }

    // MARK: Looking

    /// The server owes an answer that a message, a read mark or a logout waits for.
    var awaitsAcknowledgement: Bool {
        frames.contains { frame in
            switch frame.purpose {
            case .message, .reading, .farewell: true
            case .register, .introduce, .courtesy: false
            }
        }
    }

    /// Read marks wait for their reply.
    var awaitsReading: Bool { frames.contains { $0.purpose.isReading } }

    /// The correlation id of the newest frame whose message is one of those that wait.
    func newestFrame(where waits: (MessageID) -> Bool) -> String? {
        frames.last { $0.purpose.message.map(waits) ?? false }?.correlationID
    }

    /// When `expire` has something to do, on the monotonic clock.
    var wake: Int64? { frames.lazy.flatMap { [$0.expires, $0.overdueAt] }.compactMap(\.self).min() }

    // MARK: What goes out

    /// A frame was handed to the socket. Read marks are waited for until `readingEnd`.
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

    /// A ping was sent.
    mutating func pinged() { sentPings += 1 }

    // MARK: What comes back

    /// Returns what a frame of the server replies to, and whether a later frame was sent for the same purpose and has no
    /// reply. A reply is used once. Messages that were sent earlier and have no reply are now overdue.
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

    /// A pong came. Messages that were sent before its ping and have no reply are now overdue.
    mutating func ponged(at now: Moment) {
        answeredPings += 1
        for index in frames.indices where frames[index].pingsBefore < answeredPings { noteOverdue(index, at: now) }
    }

    /// Notes that the server answered something that was sent after this frame. Servers usually answer in order, so the
    /// frame or its reply was probably lost.
    private mutating func noteOverdue(_ index: Int, at now: Moment) {
        let frame = frames[index]
        guard frame.purpose.message != nil, !frame.isPast, frame.overdueAt == nil else { return }
        frames[index].overdueAt = now.after(milliseconds: Self.patience).monotonic
    }

    /// Stops waiting for what is due. Returns the messages whose replies are too long overdue, each of them once.
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

    // MARK: What is not waited for

    /// The server has the message.
    mutating func arrived(_ message: MessageID) { frames.removeAll { $0.purpose.message == message } }

    /// The frame of a message did not go out after all. Returns the message; `nil` for any other frame, which stays.
    mutating func takeBack(_ correlationID: String?) -> MessageID? {
        guard let index = frames.firstIndex(where: { $0.correlationID == correlationID }),
            let message = frames[index].purpose.message
        else { return nil }
        frames.remove(at: index)
        return message
    }
}
