import Synchronization

/// What a chat has brought so far. From any thread.
final class ChatTally: Sendable {
    private struct State {
        var received = 0
        var accepted: Set<String> = []
        var unsettled: Set<String> = []
        var failed: Set<String> = []
        /// What was told of messages that were not handed over before: a reply can be faster than the return of `send`.
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

    /// Messages of the other side that have come since the chat was opened.
    var received: Int { state.withLock { $0.received } }
    /// Messages of this run that the chat has accepted.
    var accepted: Int { state.withLock { $0.accepted.count } }
    /// Messages of this run that failed.
    var failed: Int { state.withLock { $0.failed.count } }
    /// Messages of this run that were neither sent nor failed.
    var unsettled: Int { state.withLock { $0.unsettled.count } }
    /// The time since something happened.
    var silence: Duration { state.withLock { $0.last.duration(to: now()) } }

    /// A message was handed over, or is to be sent again.
    func handedOver(_ id: String) {
        state.withLock { state in
            state.accepted.insert(id)
            state.unsettled.insert(id)
            state.failed.remove(id)
            state.last = now()
            if let name = state.early.removeValue(forKey: id) { state.settle(id, name) }
        }
    }

    /// A message came this far, by the name of its state.
    func came(_ id: String, to name: String) {
        state.withLock { state in
            state.last = now()
            guard ["failed", "sent", "delivered", "read"].contains(name) else { return }
            if state.accepted.contains(id) { state.settle(id, name) } else { state.early[id] = name }
        }
    }

    /// A message was forgotten.
    func forgot(_ id: String) {
        state.withLock { state in
            state.unsettled.remove(id)
            state.failed.remove(id)
            state.early[id] = nil
        }
    }

    /// A message of the other side has come. Returns how many there are now.
    func message() -> Int {
        state.withLock { state in
            state.received += 1
            state.last = now()
            return state.received
        }
    }

    /// Something else has happened.
    func touch() {
        state.withLock { $0.last = now() }
    }
}
