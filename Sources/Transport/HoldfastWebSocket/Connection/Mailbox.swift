import DequeModule

/// A queue of received messages, or of their parts, together with a waiting reader. A non-empty queue has no waiting
/// reader.
///
/// `Waiter` is the value that resumes the reader; the mailbox only stores it.
struct Mailbox<Waiter> {
    /// The result of a delivery.
    enum Delivery {
        /// Resume this waiting reader with the message.
        case handOver(Waiter)
        /// The message was stored. If `pause` is true, stop reading from the socket.
        case stored(pause: Bool)
    }

    /// The result of an attempt to read.
    enum Taking {
        /// A message. If `resume` is true, continue reading from the socket.
        case message(InboundMessage, resume: Bool)
        /// The end of the messages. An error is returned only once.
        case end((any Error)?)
        /// No message is available yet.
        case empty
        /// Another reader is already waiting.
        case busy
    }

    private let capacity: Int
    private var messages: Deque<InboundMessage> = []
    private var size = 0
    /// Whether reading from the socket is paused.
    private(set) var isPaused = false
    /// Whether the reader may still be processing the last message.
    private var isBusy = false
    private var ending: Result<Void, any Error>?
    private var waiter: (ticket: UInt64, waiter: Waiter)?

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Whether the reader has taken and processed all messages.
    var isCaughtUp: Bool { messages.isEmpty && !isBusy }

    /// The number of bytes that wait for a reader.
    var waitingBytes: Int { size }

    /// Whether a reader is waiting.
    var hasReader: Bool { waiter != nil }

    /// Delivers a message to the waiting reader or stores it.
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

    /// Takes the next message.
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

    /// Registers a waiting reader. Call this only after ``take()`` returned ``Taking/empty``, under the same lock.
    mutating func wait(_ ticket: UInt64, _ waiter: Waiter) {
        self.waiter = (ticket, waiter)
    }

    /// Removes a reader. Returns its waiter if it was still waiting.
    mutating func cancel(_ ticket: UInt64) -> Waiter? {
        guard let waiting = waiter, waiting.ticket == ticket else { return nil }
        waiter = nil
        return waiting.waiter
    }

    /// Replaces the error that waits for a reader, if there is one.
    mutating func replaceError(by error: any Error) {
        guard case .failure = ending else { return }
        ending = .failure(error)
    }

    /// Ends the messages. Returns the waiting reader, which must be resumed with the end.
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

/// A received message, or a part of one if messages are delivered in parts.
enum InboundMessage: Hashable, Sendable {
    case message(WebSocketMessage)
    case part(WebSocketPart)

    /// The payload size in bytes.
    var byteCount: Int {
        switch self {
        case .message(let message): message.byteCount
        case .part(let part): part.bytes.count
        }
    }
}
