import Synchronization

/// A clock whose sleeps end at once and are recorded.
final class InstantClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private let state = Mutex<(now: Duration, waits: [Duration])>((.zero, []))
    private let onSleep: @Sendable () -> Void

    /// The sleeps, in order.
    var waits: [Duration] { state.withLock { $0.waits } }
    var now: Instant { Instant(offset: state.withLock { $0.now }) }
    var minimumResolution: Duration { .nanoseconds(1) }

    init(onSleep: @escaping @Sendable () -> Void = {}) {
        self.onSleep = onSleep
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {  // reason: the clock that does not wait
        state.withLock { state in
            state.waits.append(deadline.offset - state.now)
            state.now = deadline.offset
        }
        onSleep()
        try Task.checkCancellation()
    }
}
