#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The source of the current time for a connection or an evaluator.
///
/// Decisions take a ``Timestamp``; the clock is read once before a decision. Tests use a fixed or manual clock.
public struct TrustClock: Sendable {
    private let read: @Sendable () -> Timestamp

    /// Creates a clock that returns the result of `now`. The closure is called from any thread.
    public init(now: @escaping @Sendable () -> Timestamp) {
        self.read = now
    }

    /// Returns a clock that always returns the same instant.
    public static func fixed(_ instant: Timestamp) -> TrustClock {
        TrustClock { instant }
    }

    /// The machine's wall clock.
    public static let system = TrustClock {
        let seconds = Date().timeIntervalSince1970  // reason: the only place where the trust module reads a clock
        return Timestamp(secondsSince1970: Int64(exactly: seconds.rounded(.down)) ?? 0)
    }

    /// Returns the current instant.
    public func now() -> Timestamp { read() }
}
