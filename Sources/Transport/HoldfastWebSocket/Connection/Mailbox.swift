import DequeModule

/// The messages, or their parts, that wait for their reader, and the reader that waits for a message: never both.
///
/// `Waiter` is whatever resumes the reader; the mailbox only keeps it.
struct Mailbox<Waiter> {
    /// What came of a delivery.
    enum Delivery {
        /// The reader waits: resume it with the message.
        case handOver(Waiter)
        /// The message was stored. `pause`: stop to read from the socket now.
        case stored(pause: Bool)
    }

    /// What came of an attempt to read.
    enum Taking {
        /// A message. `resume`: the socket may be read from again.
        case message(InboundMessage, resume: Bool)
        /// There will be no more. The error is given once.
        case end((any Error)?)
        /// Nothing yet.
        case empty
        /// Another reader waits.
        case busy
    }

    private let capacity: Int
    private var messages: Deque<InboundMessage> = []
    private var size = 0
    /// Whether the socket is not to be read from, whatever was asked for before.
    private(set) var isPaused = false
    /// Whether the reader may be busy with what it took last.
    private var isBusy = false
    private var ending: Result<Void, any Error>?
    private var waiter: (ticket: UInt64, waiter: Waiter)?

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Whether there is nothing that a reader has not seen, or may still be busy with.
    var isCaughtUp: Bool { messages.isEmpty && !isBusy }

    /// How much waits for a reader.
    var waitingBytes: Int { size }

    /// Whether a reader waits.
    var hasReader: Bool { waiter != nil }

    /// A message has arrived.
    mutating func deliver(_ message: InboundMessage) -> Delivery {
        if let waiting = waiter {
            waiter = nil
            isBusy = true
            return .handOver(waiting.waiter)
        }
        messages.append(message)
        size += message.byteCount + WebSocketLimits.messageOverhead
        guard size > capacity, !isPaused else { return .stored(pause: false) }
        isPaused = true
        return .stored(pause: true)
    }

    /// Takes what is there.
    mutating func take() -> Taking {
        guard waiter == nil else { return .busy }
        isBusy = false
        if let message = messages.popFirst() {
            size -= message.byteCount + WebSocketLimits.messageOverhead
            isBusy = true
            guard isPaused, size <= capacity / 2 else { return .message(message, resume: false) }
            isPaused = false
            return .message(message, resume: true)
        }
        guard let ending else { return .empty }
        self.ending = .success(())
        switch ending {
        case .success: return .end(nil)
        case .failure(let error): return .end(error)
        }
    }

    /// Lets a reader wait. Only after ``take()`` gave ``Taking/empty``, under the same lock.
    mutating func wait(_ ticket: UInt64, _ waiter: Waiter) {
        self.waiter = (ticket, waiter)
    }

    /// A reader gives up. Returns it if it still waits.
    mutating func cancel(_ ticket: UInt64) -> Waiter? {
        guard let waiting = waiter, waiting.ticket == ticket else { return nil }
        waiter = nil
        return waiting.waiter
    }

    /// Another error is more important than the one that waits for a reader, if one does.
    mutating func replaceError(by error: any Error) {
        guard case .failure = ending else { return }
        ending = .failure(error)
    }

    /// No more messages come. Returns the reader, if one waits; it gets the end now.
    mutating func finish(_ error: (any Error)?) -> Waiter? {
        guard ending == nil else { return nil }
        guard let waiting = waiter else {
            ending = error.map { .failure($0) } ?? .success(())
            return nil
        }
        ending = .success(())
        waiter = nil
        return waiting.waiter
    }
}

/// What a reader gets: a whole message, or a part of one where messages are delivered in parts.
enum InboundMessage: Hashable, Sendable {
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
