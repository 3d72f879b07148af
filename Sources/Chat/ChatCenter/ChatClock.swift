package import ChatCenterCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where the chat's time comes from, and what wakes it. Tests hand in a manual one.
package protocol ChatClock: Sendable {
    /// The current moment.
    func now() -> Moment

    /// Calls `body` once when the monotonic time has come, on any thread, in place of what was scheduled before;
    /// `nil` cancels that and schedules nothing.
    func wake(at monotonic: Int64?, _ body: @escaping @Sendable () -> Void)
}

/// The machine's clocks. The monotonic one goes on while the machine sleeps, so that a deadline is not stretched by it.
package final class SystemChatClock: ChatClock {
    private let start = ContinuousClock.now
    private let sleeper = Mutex<Task<Void, Never>?>(nil)

    package init() {}

    deinit {
        sleeper.withLock { $0?.cancel() }
    }

    package func now() -> Moment {
        let elapsed = (ContinuousClock.now - start).components
        let monotonic = elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000
        let wall = (Date().timeIntervalSince1970 * 1000).rounded(.down)
        return Moment(monotonic: monotonic, wall: Int64(exactly: wall) ?? 0)
    }

    package func wake(at monotonic: Int64?, _ body: @escaping @Sendable () -> Void) {
        let next = monotonic.map { monotonic in
            let deadline = start.advanced(by: .nanoseconds(monotonic))
            return Task {  // reason: the one timer of a chat; it ends when it fires, is replaced or the clock goes
                do {
                    try await Task.sleep(until: deadline, clock: .continuous)  // reason: this is that timer
                } catch {
                    return
                }
                body()
            }
        }
        sleeper.withLock { current in
            current?.cancel()
            current = next
        }
    }
}
