import ChatCenter
import ChatCenterCore
import Synchronization

/// A clock that a test advances. Its timer fires while it advances.
final class ManualChatClock: ChatClock {
    fileprivate struct State {
        var now: Moment
        var wake: (at: Int64, body: @Sendable () -> Void)?
    }

    private let state: Mutex<State>

    /// - Parameter wall: Milliseconds since 1970.
    init(wall: Int64 = 1_900_000_000_000) {
        state = Mutex(State(now: Moment(monotonic: 1_000_000_000, wall: wall)))
    }

    func now() -> Moment { state.withLock { $0.now } }

    func wake(at monotonic: Int64?, tolerance: Int64, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = monotonic.map { ($0, body) } }
    }

    /// Whether a timer is armed.
    var isArmed: Bool { state.withLock { $0.wake != nil } }

    /// Advances the time. `settle` runs after each timer, so that its work is done before the next timer.
    func advance(by duration: Duration, settle: () -> Void) {
        let (seconds, attoseconds) = duration.components
        let end = now().monotonic + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        while true {
            let body = state.withLock { state -> (@Sendable () -> Void)? in
                guard let wake = state.wake, wake.at <= end else {
                    state.move(to: end)
                    return nil
                }
                state.wake = nil
                state.move(to: max(wake.at, state.now.monotonic))
                return wake.body
            }
            guard let body else { return settle() }
            body()
            settle()
        }
    }
}

extension ManualChatClock.State {
    fileprivate mutating func move(to monotonic: Int64) {
        now.wall += (monotonic - now.monotonic) / 1_000_000
        now.monotonic = monotonic
    }
}
