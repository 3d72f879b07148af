import DequeModule
import NIOCore
import Synchronization

/// What the handler calls, on the event loop.
extension WebSocketLink {
    /// The handler is in its pipeline.
    func attach(_ handler: WebSocketChannelHandler) {
        self.handler.value = handler
    }

    /// A message for the reader. `true`: stop to read from the socket.
    func deliver(_ message: InboundMessage) -> Bool {
        switch state.withLock({ $0.mailbox.deliver(message) }) {
        case .handOver(let reader):
            reader.resume(returning: message)
            return false
        case .stored(let pause):
            return pause
        }
    }

    /// Whether the socket is not to be read from until the reader has taken more.
    var isMailboxFull: Bool { state.withLock { $0.mailbox.isPaused } }

    /// The messages that are to be sent.
    func drain() -> Deque<OutboundMessage> {
        state.withLock { $0.outbox.drain() }
    }

    /// The socket has accepted messages of `bytes` bytes in all. `true`: others have moved up; drain again.
    func accepted(_ bytes: Int) -> Bool {
        let senders = state.withLock { $0.outbox.accepted(bytes) }
        for sender in senders { sender.resume() }
        return !senders.isEmpty
    }

    /// No more messages come: the reader gets `error` behind those that wait for it. `true`: it has seen them all.
    func endMessages(_ closure: WebSocketClosure?, error: any Error) -> Bool {
        let (reader, isCaughtUp) = state.withLock { state in
            state.closure = closure
            let reader = state.mailbox.finish(error)
            return (reader, state.mailbox.isCaughtUp)
        }
        reader?.resume(throwing: error)
        return isCaughtUp
    }

    /// A changed policy refuses the server: the reader gets that, and not another error that waits for it.
    func refuse(_ refusal: any Error) {
        state.withLock { $0.mailbox.replaceError(by: refusal) }
    }

    /// No more messages come, and none can be sent: readers get `error`, senders `closed`.
    func finish(_ closure: WebSocketClosure, error: (any Error)?, closed: any Error) {
        let (reader, senders) = state.withLock { state in
            state.closure = closure
            return (state.mailbox.finish(error), state.outbox.close(closed))
        }
        if let reader {
            if let error { reader.resume(throwing: error) } else { reader.resume(returning: nil) }
        }
        for sender in senders { sender.resume(throwing: closed) }
    }

    /// This end has begun to close: nothing more is taken for sending.
    func refuseMessages() {
        let closing = WebSocketError(.closed, "The connection is being closed.")
        let senders = state.withLock { $0.outbox.close(closing) }
        for sender in senders { sender.resume(throwing: closing) }
    }

    /// The socket is gone, and the handler with it.
    func transportClosed() {
        let waiters = state.withLock { state in
            state.isTransportClosed = true
            defer { state.closeWaiters = [] }
            return state.closeWaiters
        }
        handler.value = nil
        for waiter in waiters { waiter.resume() }
    }
}
