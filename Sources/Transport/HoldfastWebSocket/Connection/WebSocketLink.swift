import NIOCore
import Synchronization

/// Connects the tasks that use a connection with the handler on its event loop.
///
/// A lock protects the queues, so sending and receiving need no hop to the event loop if there is space or a message.
/// The handler is accessed only on the event loop.
final class WebSocketLink: Sendable {
    typealias Reader = CheckedContinuation<InboundMessage?, any Error>
    typealias Sender = CheckedContinuation<Void, any Error>

    struct State {
        var mailbox: Mailbox<Reader>
        var outbox: Outbox<Sender>
        var closure: WebSocketClosure?
        var isTransportClosed = false
        var closeWaiters: [CheckedContinuation<Void, Never>] = []
        var lastTicket: UInt64 = 0
        /// The parts received so far of a message that is read as a whole.
        var collected: (kind: WebSocketPart.Kind, bytes: [UInt8]) = (.binary, [])

        /// Returns a new identifier for a cancellable operation.
        mutating func ticket() -> UInt64 {
            lastTicket += 1
            return lastTicket
        }
    }

    let eventLoop: any EventLoop
    let state: Mutex<State>
    /// The handler while it is in its pipeline; otherwise `nil`, so that no reference cycle outlives the channel.
    let handler: NIOLoopBoundBox<WebSocketChannelHandler?>

    init(eventLoop: any EventLoop, limits: WebSocketLimits) {
        self.eventLoop = eventLoop
        self.state = Mutex(
            State(
                mailbox: Mailbox(capacity: limits.receiveBuffer), outbox: Outbox(capacity: limits.sendBuffer)))
        self.handler = .makeEmptyBox(eventLoop: eventLoop)
    }

    // MARK: For tasks

    /// Takes the next message, or part of one; `nil` at the end.
    func receive() async throws -> InboundMessage? {
        if let outcome = outcome(of: state.withLock({ $0.mailbox.take() })) { return try outcome.get() }
        let ticket = state.withLock { $0.ticket() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reader in
                let taking = state.withLock { state in
                    let taking = state.mailbox.take()
                    if case .empty = taking { state.mailbox.wait(ticket, reader) }
                    return taking
                }
                if let outcome = outcome(of: taking) { reader.resume(with: outcome) }
                // The cancellation handler may have run before the reader was stored.
                if Task.isCancelled { cancelReader(ticket) }
            }
        } onCancel: {
            cancelReader(ticket)
        }
    }

    /// Notifies the handler of what was taken from the mailbox. Returns the reader's result; `nil` if it has to wait.
    private func outcome(of taking: Mailbox<Reader>.Taking) -> Result<InboundMessage?, any Error>? {
        switch taking {
        case .message(let message, let resume):
            if resume { perform { $0.resumeReading() } }
            return .success(message)
        case .end(let error):
            perform { $0.readerCaughtUp() }
            return error.map { .failure($0) } ?? .success(nil)
        case .busy:
            return .failure(WebSocketError(.concurrentReaders, "Another task is already waiting for the next message."))
        case .empty:
            return nil
        }
    }

    private func cancelReader(_ ticket: UInt64) {
        state.withLock { $0.mailbox.cancel(ticket) }?.resume(throwing: CancellationError())
    }

    /// Queues a message for the event loop; waits while the outbox is full.
    ///
    /// - Parameter sender: The sender of a message in pieces, identified by a number from ``State/ticket()``.
    func send(_ message: OutboundMessage, from sender: UInt64? = nil) async throws {
        try Task.checkCancellation()
        switch state.withLock({ $0.outbox.submit(message, from: sender) }) {
        case .taken(let drain):
            if drain { drainOutbox() }
        case .closed(let error):
            throw error
        case .full:
            try await waitToSend(message, from: sender)
        }
    }

    /// Asks the handler to fetch the queued messages. Always runs in a later turn of the event loop, so that several
    /// messages from one turn are sent in one write.
    private func drainOutbox() {
        eventLoop.execute { self.handler.value?.drainOutbox() }
    }

    private func waitToSend(_ message: OutboundMessage, from sender: UInt64?) async throws {
        let ticket = state.withLock { $0.ticket() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Sender) in
                // Space may be available by now.
                let submission = state.withLock { state in
                    let submission = state.outbox.submit(message, from: sender)
                    if case .full = submission { state.outbox.wait(ticket, message, from: sender, waiter) }
                    return submission
                }
                switch submission {
                case .taken(let drain):
                    if drain { drainOutbox() }
                    waiter.resume()
                case .closed(let error):
                    waiter.resume(throwing: error)
                case .full:
                    if Task.isCancelled { cancelSender(ticket) }
                }
            }
        } onCancel: {
            cancelSender(ticket)
        }
    }

    private func cancelSender(_ ticket: UInt64) {
        state.withLock { $0.outbox.cancel(ticket) }?.resume(throwing: CancellationError())
    }

    /// Sends a ping and waits for its pong.
    func ping() async throws -> Duration {
        let ticket = state.withLock { $0.ticket() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                perform {
                    $0.ping(ticket, waiter)
                } otherwise: {
                    waiter.resume(throwing: self.closedError())
                }
                if Task.isCancelled { perform { $0.cancelPing(ticket) } }
            }
        } onCancel: {
            perform { $0.cancelPing(ticket) }
        }
    }

    /// Closes the connection and waits until the socket is closed. Cuts the connection if the task is cancelled.
    func close(_ code: WebSocketCloseCode, reason: String) async {
        perform { $0.close(code, reason: reason) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isClosed = state.withLock { state in
                    if !state.isTransportClosed { state.closeWaiters.append(waiter) }
                    return state.isTransportClosed
                }
                if isClosed { waiter.resume() }
                if Task.isCancelled { perform { $0.abandon() } }
            }
        } onCancel: {
            perform { $0.abandon() }
        }
    }

    /// Closes the connection after the app has released its last reference.
    func dropped() {
        guard state.withLock({ !$0.isTransportClosed }) else { return }
        // Never runs synchronously, because the last reference may be released during the handler's own work.
        eventLoop.execute { self.handler.value?.close(.goingAway, reason: "") }
    }

    /// Closes the connection because a partially sent message cannot be completed.
    func failSending() {
        perform { $0.close(.internalError, reason: "") }
    }

    private func closedError() -> WebSocketError {
        WebSocketError(.closed, "The connection is closed.", closure: state.withLock { $0.closure })
    }

    /// Runs `body` with the handler on its event loop, or `otherwise` if the socket is closed.
    private func perform(
        _ body: @escaping @Sendable (WebSocketChannelHandler) -> Void,
        otherwise: @escaping @Sendable () -> Void = {}
    ) {
        guard state.withLock({ !$0.isTransportClosed }) else { return otherwise() }
        let run: @Sendable () -> Void = {
            if let handler = self.handler.value { body(handler) } else { otherwise() }
        }
        if eventLoop.inEventLoop { run() } else { eventLoop.execute(run) }
    }
}
