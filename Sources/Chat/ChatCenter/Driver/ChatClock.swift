package import ChatCenterCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The chat's clock and timer. Tests use a manual one.
package protocol ChatClock: Sendable {
    /// Returns the current time.
    func now() -> Moment

    /// Calls `body` once at the given monotonic time, on any thread. Replaces the previous call, if any; `nil` only
    /// cancels that.
    ///
    /// - Parameter tolerance: The nanoseconds by which the call may be late.
    func wake(at monotonic: Int64?, tolerance: Int64, _ body: @escaping @Sendable () -> Void)
}

/// The system's clocks. The monotonic clock continues while the device sleeps, so that sleep does not delay a deadline.
package final class SystemChatClock: ChatClock {
    /// Calls with a tolerance are made at multiples of it since this time, so that those of all chats of the process
    /// coincide. A thousand chats that wake one by one need several percent of a processor.
    private static let origin = ContinuousClock.now

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

    package func wake(at monotonic: Int64?, tolerance: Int64, _ body: @escaping @Sendable () -> Void) {
        let next = monotonic.map { monotonic in
            let deadline = Self.deadline(start.advanced(by: .nanoseconds(monotonic)), tolerance, since: Self.origin)
            return Task {  // reason: the chat's only timer; ends when it fires, is replaced or the clock is freed
                do {
                    try await Task.sleep(until: deadline, clock: .continuous)  // reason: waits for the timer's deadline
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

    /// Returns the first multiple of the tolerance since the origin that is not before a deadline.
    static func deadline(
        _ deadline: ContinuousClock.Instant, _ tolerance: Int64, since origin: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        guard tolerance > 0 else { return deadline }
        let (seconds, attoseconds) = (deadline - origin).components
        let (elapsed, isTooLate) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooLate else { return deadline }
        let rest = (elapsed + attoseconds / 1_000_000_000) % tolerance
        return rest > 0 ? deadline.advanced(by: .nanoseconds(tolerance - rest)) : deadline
    }
}
