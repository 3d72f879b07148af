import HoldfastSystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The clocks of the server. Tests replace them.
package struct PageServerTime: Sendable {
    /// Returns milliseconds since 1970, for the page.
    package var wall: @Sendable () -> Int64
    /// Returns milliseconds of a monotonic clock, for time limits.
    package var uptime: @Sendable () -> Int64
    /// Waits. Throws when the task is cancelled.
    package var pause: @Sendable (Duration) async throws -> Void

    /// Creates clocks.
    package init(
        wall: @escaping @Sendable () -> Int64, uptime: @escaping @Sendable () -> Int64,
        pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.wall = wall
        self.uptime = uptime
        self.pause = pause
    }

    /// The machine's clocks.
    package static let system: PageServerTime = {
        let start = ContinuousClock.now
        return PageServerTime(
            wall: { Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)) },
            uptime: { (ContinuousClock.now - start).wholeMilliseconds },
            pause: { try await Task.sleep(for: $0) })  // reason: the interval of the signs of life is in real time
    }()
}
