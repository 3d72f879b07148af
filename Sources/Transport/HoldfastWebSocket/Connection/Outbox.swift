import DequeModule

/// A first-in-first-out queue of messages for the socket, together with the senders that wait because it is full.
///
/// `Waiter` is the value that resumes a sender; the outbox only stores it.
struct Outbox<Waiter> {
    /// The result of an attempt to send.
    enum Submission {
        /// The message was accepted. If `drain` is true, ask the event loop to fetch it; otherwise a request is already
        /// pending.
        case taken(drain: Bool)
        /// The outbox is full, or other senders are already waiting.
        case full
        /// The outbox accepts no more messages.
        case closed(any Error)
    }

    private struct Waiting {
        var ticket: UInt64
        var message: OutboundMessage
        var sender: UInt64?
        var waiter: Waiter
    }

    private let capacity: Int
    /// Messages that were accepted but not yet fetched.
    private var queue: Deque<OutboundMessage> = []
    /// Accepted bytes that the socket has not yet taken, fetched or not.
    private var outstanding = 0
    private var waiting: Deque<Waiting> = []
    private var isDrainUnderWay = false
    /// The sender of a message in pieces. Until its last piece, no other message can be sent (RFC 6455, 5.4).
    private var holder: UInt64?
    private var closing: (any Error)?

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The number of accepted bytes that the socket has not yet taken.
    var outstandingBytes: Int { outstanding }

    /// Whether senders are waiting.
    var hasWaiters: Bool { !waiting.isEmpty }

    /// Offers a message, or a piece of one. Accepts it, whatever its size, while the outstanding bytes are below the
    /// capacity.
    ///
    /// - Parameter sender: The sender of a message in pieces. Its first piece blocks all other senders until its last
    ///   piece is accepted.
    mutating func submit(_ message: OutboundMessage, from sender: UInt64? = nil) -> Submission {
        if let closing { return .closed(closing) }
        let isHolder = sender != nil && sender == holder
        // Waiting senders come first. Only the sender of a message in progress may overtake them.
        guard isHolder || holder == nil && !hasWaiters, outstanding < capacity else { return .full }
        enqueue(message, from: sender)
        defer { isDrainUnderWay = true }
        return .taken(drain: !isDrainUnderWay)
    }

    /// Registers a waiting sender. Call this only after ``submit(_:from:)`` returned ``Submission/full``, under the
    /// same lock.
    mutating func wait(_ ticket: UInt64, _ message: OutboundMessage, from sender: UInt64? = nil, _ waiter: Waiter) {
        let entry = Waiting(ticket: ticket, message: message, sender: sender, waiter: waiter)
        if sender != nil, sender == holder { waiting.prepend(entry) } else { waiting.append(entry) }
    }

    /// Removes a sender. Returns its waiter if it was still waiting; its message is then not sent.
    mutating func cancel(_ ticket: UInt64) -> Waiter? {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return waiting.remove(at: index).waiter
    }

    /// Returns all accepted messages in order and removes them.
    mutating func drain() -> Deque<OutboundMessage> {
        isDrainUnderWay = false
        defer { queue = [] }
        return queue
    }

    /// Records that the socket has taken messages of `bytes` bytes in total. Returns the senders whose messages are now
    /// accepted; fetch those messages.
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

    /// Stops accepting messages. Returns the waiting senders, which must be resumed with the error. Accepted messages
    /// can still be fetched.
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

/// A message to send, or a piece of one whose end is not known yet.
enum OutboundMessage: Hashable, Sendable {
    case message(WebSocketMessage)
    case piece(OutboundFrame.Payload, WebSocketPart.Kind, isLast: Bool)

    /// The size that counts towards the capacity: the payload and a header. The header ensures that many empty messages
    /// also fill the outbox.
    var weight: Int {
        switch self {
        case .message(let message): message.byteCount + FrameHeader.maximumSize
        case .piece(let payload, _, _): payload.count + FrameHeader.maximumSize
        }
    }
}
