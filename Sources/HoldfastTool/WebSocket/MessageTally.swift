import Synchronization

/// Counts messages, and knows when something last happened. From any thread.
final class MessageTally: Sendable {
    private let state: Mutex<(count: Int, last: ContinuousClock.Instant)>
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        state = Mutex((0, now()))
    }

    /// The messages so far.
    var count: Int { state.withLock { $0.count } }

    /// The time since something happened.
    var silence: Duration { state.withLock { $0.last.duration(to: now()) } }

    /// A message has come. Returns how many there are now.
    func message() -> Int {
        state.withLock { state in
            state = (state.count + 1, now())
            return state.count
        }
    }

    /// Something else has happened.
    func touch() {
        state.withLock { $0.last = now() }
    }
}
