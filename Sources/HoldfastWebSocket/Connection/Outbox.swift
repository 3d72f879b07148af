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

    private let capacity: Int
    /// Taken, not fetched yet.
    private var queue: Deque<WebSocketMessage> = []
    /// Bytes taken that the socket has not accepted yet, fetched or not.
    private var outstanding = 0
    private var waiting: Deque<(ticket: UInt64, message: WebSocketMessage, waiter: Waiter)> = []
    private var isDrainUnderWay = false
    private var closing: (any Error)?

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Whether senders wait.
    var hasWaiters: Bool { !waiting.isEmpty }

    /// Offers a message. It is taken while less than the capacity is outstanding, however large it is.
    mutating func submit(_ message: WebSocketMessage) -> Submission {
        if let closing { return .closed(closing) }
        guard !hasWaiters, outstanding < capacity else { return .full }
        enqueue(message)
        defer { isDrainUnderWay = true }
        return .taken(drain: !isDrainUnderWay)
    }

    /// Lets a sender wait. Only after ``submit(_:)`` gave ``Submission/full``, under the same lock.
    mutating func wait(_ ticket: UInt64, _ message: WebSocketMessage, _ waiter: Waiter) {
        waiting.append((ticket, message, waiter))
    }

    /// A sender gives up. Returns it if it still waits; its message is not sent then.
    mutating func cancel(_ ticket: UInt64) -> Waiter? {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return waiting.remove(at: index).waiter
    }

    /// Fetches all that was taken, in order.
    mutating func drain() -> Deque<WebSocketMessage> {
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
        while outstanding < capacity, let next = waiting.popFirst() {
            enqueue(next.message)
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

    /// What a message counts for: its bytes, and a little for its header, so that many empty ones fill the outbox, too.
    static func size(of message: WebSocketMessage) -> Int {
        message.byteCount + FrameHeader.maximumSize
    }

    private mutating func enqueue(_ message: WebSocketMessage) {
        queue.append(message)
        outstanding += Self.size(of: message)
    }
}
