import Synchronization

/// Counts the messages of a chat. Thread-safe.
final class ChatTally: Sendable {
    private struct State {
        var received = 0
        var accepted: Set<String> = []
        var unsettled: Set<String> = []
        var failed: Set<String> = []
        /// States of messages that arrived before `handedOver`: an acknowledgement can be faster than the return of
        /// `send`.
        var early: [String: String] = [:]
        var last: ContinuousClock.Instant

        mutating func settle(_ id: String, _ name: String) {
            if unsettled.remove(id) != nil, name == "failed" { failed.insert(id) }
        }
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        state = Mutex(State(last: now()))
    }

    /// The number of messages received since the chat was opened.
    var received: Int { state.withLock { $0.received } }
    /// The number of messages of this run that the chat has accepted.
    var accepted: Int { state.withLock { $0.accepted.count } }
    /// The number of messages of this run that failed.
    var failed: Int { state.withLock { $0.failed.count } }
    /// The number of messages of this run that were neither sent nor failed.
    var unsettled: Int { state.withLock { $0.unsettled.count } }
    /// The time since the last event.
    var silence: Duration { state.withLock { $0.last.duration(to: now()) } }

    /// Records that a message was handed over or is sent again.
    func handedOver(_ id: String) {
        state.withLock { state in
            state.accepted.insert(id)
            state.unsettled.insert(id)
            state.failed.remove(id)
            state.last = now()
            if let name = state.early.removeValue(forKey: id) { state.settle(id, name) }
        }
    }

    /// Records a message's new state, by name.
    func came(_ id: String, to name: String) {
        state.withLock { state in
            state.last = now()
            guard ["failed", "sent", "delivered", "read"].contains(name) else { return }
            if state.accepted.contains(id) { state.settle(id, name) } else { state.early[id] = name }
        }
    }

    /// Records that a message was deleted.
    func forgot(_ id: String) {
        state.withLock { state in
            state.unsettled.remove(id)
            state.failed.remove(id)
            state.early[id] = nil
        }
    }

    /// Records a received message. Returns the number of received messages.
    func message() -> Int {
        state.withLock { state in
            state.received += 1
            state.last = now()
            return state.received
        }
    }

    /// Records any other event.
    func touch() {
        state.withLock { $0.last = now() }
    }
}
