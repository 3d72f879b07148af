import DequeModule

/// The messages on their way to the socket, first in, first out, and the senders that wait because it is full.
///
/// `Waiter` is whatever resumes a sender; the outbox only keeps it.
struct Outbox<Waiter> {
    /// What came of an attempt to send.
    enum Submission {
        /// The message was taken. `drain`: tell the event loop to fetch it; otherwise it knows already.
        case taken(drain: Bool)
        /// The outbox is full, or others wait already.
        case full
        /// Nothing is taken any more.
        case closed(any Error)
    }

    private struct Waiting {
        var ticket: UInt64
        var message: OutboundMessage
        var sender: UInt64?
        var waiter: Waiter
    }

    private let capacity: Int
    /// Taken, not fetched yet.
    private var queue: Deque<OutboundMessage> = []
    /// Bytes taken that the socket has not accepted yet, fetched or not.
    private var outstanding = 0
    private var waiting: Deque<Waiting> = []
    private var isDrainUnderWay = false
    /// Who sends a message in pieces: until its end nobody else's message can go out (RFC 6455, 5.4).
    private var holder: UInt64?
    private var closing: (any Error)?

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// How much of what was taken the socket has not accepted yet.
    var outstandingBytes: Int { outstanding }

    /// Whether senders wait.
    var hasWaiters: Bool { !waiting.isEmpty }

    /// Offers a message, or a piece of one. It is taken while less than the capacity is outstanding, however large it is.
    ///
    /// - Parameter sender: Who sends in pieces; its first piece keeps out all other senders until the last one is taken.
    mutating func submit(_ message: OutboundMessage, from sender: UInt64? = nil) -> Submission {
        if let closing { return .closed(closing) }
        let isHolder = sender != nil && sender == holder
        // Whoever waits was there first; the holder alone may be before them.
        guard isHolder || holder == nil && !hasWaiters, outstanding < capacity else { return .full }
        enqueue(message, from: sender)
        defer { isDrainUnderWay = true }
        return .taken(drain: !isDrainUnderWay)
    }

    /// Lets a sender wait. Only after ``submit(_:from:)`` gave ``Submission/full``, under the same lock.
    mutating func wait(_ ticket: UInt64, _ message: OutboundMessage, from sender: UInt64? = nil, _ waiter: Waiter) {
        let entry = Waiting(ticket: ticket, message: message, sender: sender, waiter: waiter)
        if sender != nil, sender == holder { waiting.prepend(entry) } else { waiting.append(entry) }
    }

    /// A sender gives up. Returns it if it still waits; its message is not sent then.
    mutating func cancel(_ ticket: UInt64) -> Waiter? {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return waiting.remove(at: index).waiter
    }

    /// Fetches all that was taken, in order.
    mutating func drain() -> Deque<OutboundMessage> {
        isDrainUnderWay = false
        defer { queue = [] }
        return queue
    }

    /// The socket has accepted messages of `bytes` bytes in all. Returns the senders whose messages are taken now;
    /// fetch them.
    mutating func accepted(_ bytes: Int) -> [Waiter] {
        outstanding -= bytes
        guard outstanding <= capacity / 2 else { return [] }
        var admitted: [Waiter] = []
        while outstanding < capacity, let next = waiting.first, holder == nil || next.sender == holder {
            waiting.removeFirst()
            enqueue(next.message, from: next.sender)
            admitted.append(next.waiter)
        }
        return admitted
    }

    /// Takes nothing any more. Returns the senders that wait: they get the error. What was taken may still be fetched.
    mutating func close(_ error: any Error) -> [Waiter] {
        guard closing == nil else { return [] }
        closing = error
        defer { waiting = [] }
        return waiting.map(\.waiter)
    }

    private mutating func enqueue(_ message: OutboundMessage, from sender: UInt64?) {
        if case .piece(_, _, let isLast) = message { holder = isLast ? nil : sender }
        queue.append(message)
        outstanding += message.weight
    }
}

/// What a sender gives: a whole message, or a piece of one whose end is not known yet.
enum OutboundMessage: Hashable, Sendable {
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
