package import ChatCenterCore
import HoldfastSystem
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
    /// The origin of the monotonic time. All clocks of the process share it, so that calls with the same tolerance
    /// coincide: they are made at its multiples. A thousand chats that wake one by one need several percent of a
    /// processor.
    private static let start = ContinuousClock.now

    private let sleeper = Mutex<Task<Void, Never>?>(nil)

    package init() {}

    deinit {
        sleeper.withLock { $0?.cancel() }
    }

    package func now() -> Moment {
        let monotonic = (ContinuousClock.now - Self.start).wholeNanoseconds
        let wall = (Date().timeIntervalSince1970 * 1000).rounded(.down)
        return Moment(monotonic: monotonic, wall: Int64(exactly: wall) ?? 0)
    }

    package func wake(at monotonic: Int64?, tolerance: Int64, _ body: @escaping @Sendable () -> Void) {
        let next = monotonic.map { monotonic in
            let deadline = Self.start.advanced(by: .nanoseconds(Self.deadline(monotonic, tolerance)))
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

    /// Returns the first multiple of the tolerance that is not before a monotonic time.
    static func deadline(_ monotonic: Int64, _ tolerance: Int64) -> Int64 {
        guard tolerance > 0, monotonic % tolerance > 0 else { return monotonic }
        let (next, isTooLate) = monotonic.addingReportingOverflow(tolerance - monotonic % tolerance)
        return isTooLate ? monotonic : next
    }
}
