import DequeModule
import NIOCore
import Synchronization

/// Methods for the handler, called on the event loop.
extension WebSocketLink {
    /// Stores the handler once it is in its pipeline.
    func attach(_ handler: WebSocketChannelHandler) {
        self.handler.value = handler
    }

    /// Delivers a message to the reader. Returns `true` if reading from the socket must stop.
    func deliver(_ message: InboundMessage) -> Bool {
        switch state.withLock({ $0.mailbox.deliver(message) }) {
        case .handOver(let reader):
            reader.resume(returning: message)
            return false
        case .stored(let pause):
            return pause
        }
    }

    /// Whether reading from the socket must wait until the reader has taken more.
    var isMailboxFull: Bool { state.withLock { $0.mailbox.isPaused } }

    /// Returns the messages to send.
    func drain() -> Deque<OutboundMessage> {
        state.withLock { $0.outbox.drain() }
    }

    /// Records that the socket has taken messages of `bytes` bytes in total. Returns `true` if waiting messages were
    /// accepted and must be fetched.
    func accepted(_ bytes: Int) -> Bool {
        let senders = state.withLock { $0.outbox.accepted(bytes) }
        for sender in senders { sender.resume() }
        return !senders.isEmpty
    }

    /// Ends the messages: the reader receives `error` after the remaining messages. Returns `true` if it has taken them
    /// all.
    func endMessages(_ closure: WebSocketClosure?, error: any Error) -> Bool {
        let (reader, isCaughtUp) = state.withLock { state in
            state.closure = closure
            let reader = state.mailbox.finish(error)
            return (reader, state.mailbox.isCaughtUp)
        }
        reader?.resume(throwing: error)
        return isCaughtUp
    }

    /// Reports a refusal by a changed policy to the reader, instead of any other error that waits for it.
    func refuse(_ refusal: any Error) {
        state.withLock { $0.mailbox.replaceError(by: refusal) }
    }

    /// Ends the connection: readers receive `error`, and senders receive `closed`.
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

    /// Stops accepting messages because this end has begun to close.
    func refuseMessages() {
        let closing = WebSocketError(.closed, "The connection is being closed.")
        let senders = state.withLock { $0.outbox.close(closing) }
        for sender in senders { sender.resume(throwing: closing) }
    }

    /// Releases the handler after the socket was closed.
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
