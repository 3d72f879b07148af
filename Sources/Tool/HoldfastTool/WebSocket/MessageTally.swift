import Synchronization

/// Counts messages, and knows when something last happened. From any thread.
final class MessageTally: Sendable {
    private let state: Mutex<(count: Int, last: ContinuousClock.Instant)>
    private let isDropping = Atomic(false)
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        state = Mutex((0, now()))
    }

    /// The messages so far.
    var count: Int { state.withLock { $0.count } }

    /// Whether messages that come from now on are neither shown nor counted.
    var dropsRest: Bool { isDropping.load(ordering: .relaxed) }

    /// Neither shows nor counts the messages that come from now on.
    func dropRest() { isDropping.store(true, ordering: .relaxed) }

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
