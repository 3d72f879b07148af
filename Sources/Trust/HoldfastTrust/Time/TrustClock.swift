#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where the current time comes from when a connection or an evaluator has to be judged *now*.
///
/// Decisions themselves take a ``Timestamp``; a clock is read once at their edge. Tests hand in a fixed or manual one.
public struct TrustClock: Sendable {
    private let read: @Sendable () -> Timestamp

    /// Makes a clock that answers with `now`. The closure is called from any thread.
    public init(now: @escaping @Sendable () -> Timestamp) {
        self.read = now
    }

    /// A clock that stands still.
    public static func fixed(_ instant: Timestamp) -> TrustClock {
        TrustClock { instant }
    }

    /// The machine's wall clock.
    public static let system = TrustClock {
        let seconds = Date().timeIntervalSince1970  // reason: the one place where the trust module reads a clock
        return Timestamp(secondsSince1970: Int64(exactly: seconds.rounded(.down)) ?? 0)
    }

    /// The current instant.
    public func now() -> Timestamp { read() }
}
