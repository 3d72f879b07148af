import NIOCore
import Synchronization

/// What ties the tasks that use a connection to the handler on its event loop.
///
/// The queues are behind a lock, so that a message can be sent or taken without a hop where there is room or something
/// is there. The handler itself is only touched on the loop.
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
        /// What was taken so far of a message that comes in parts and is wanted whole.
        var collected: (kind: WebSocketPart.Kind, bytes: [UInt8]) = (.binary, [])

        /// A number for something that may have to be cancelled.
        mutating func ticket() -> UInt64 {
            lastTicket += 1
            return lastTicket
        }
    }

    let eventLoop: any EventLoop
    let state: Mutex<State>
    /// Empty before the handler is in its pipeline and after it has left: no cycle outlives the channel.
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
                // The handler below may have run before the reader was stored.
                if Task.isCancelled { cancelReader(ticket) }
            }
        } onCancel: {
            cancelReader(ticket)
        }
    }

    /// Tells the handler what was taken from the mailbox. Returns what the reader gets; `nil`: it has to wait.
    private func outcome(of taking: Mailbox<Reader>.Taking) -> Result<InboundMessage?, any Error>? {
        switch taking {
        case .message(let message, let resume):
            if resume { perform { $0.resumeReading() } }
            return .success(message)
        case .end(let error):
            perform { $0.readerCaughtUp() }
            return error.map { .failure($0) } ?? .success(nil)
        case .busy:
            return .failure(WebSocketError(.concurrentReaders, "Another task already waits for the next message."))
        case .empty:
            return nil
        }
    }

    private func cancelReader(_ ticket: UInt64) {
        state.withLock { $0.mailbox.cancel(ticket) }?.resume(throwing: CancellationError())
    }

    /// Hands a message to the event loop; waits while the outbox is full.
    ///
    /// - Parameter sender: Who sends in pieces: a number of ``State/ticket()``.
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

    /// Lets the handler fetch what is to be sent; never at once, even on the loop: whoever sends there may send more in
    /// the same turn, and all of it goes out in one write.
    private func drainOutbox() {
        eventLoop.execute { self.handler.value?.drainOutbox() }
    }

    private func waitToSend(_ message: OutboundMessage, from sender: UInt64?) async throws {
        let ticket = state.withLock { $0.ticket() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Sender) in
                // There may be room by now.
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

    /// Closes, and waits until the socket is closed. Cuts the connection when the task is cancelled.
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

    /// Nobody holds the connection any more.
    func dropped() {
        guard state.withLock({ !$0.isTransportClosed }) else { return }
        // Never at once, even on the loop: the last reference may go in the middle of the handler's own work.
        eventLoop.execute { self.handler.value?.close(.goingAway, reason: "") }
    }

    /// A message that has begun to go out cannot be completed.
    func failSending() {
        perform { $0.close(.internalError, reason: "") }
    }

    private func closedError() -> WebSocketError {
        WebSocketError(.closed, "The connection is closed.", closure: state.withLock { $0.closure })
    }

    /// Runs `body` with the handler on its loop, or `otherwise` where the socket is closed.
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
