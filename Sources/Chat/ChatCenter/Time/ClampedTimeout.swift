#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The one way from a number of seconds that an app or a server gave to a `Duration`.
///
/// `Duration.seconds(.infinity)` and `.seconds(.nan)` trap, and a deadline centuries away overflows nanoseconds.
struct ClampedTimeout: Hashable, Sendable {
    /// The shortest time-out: zero and negative numbers mean it.
    static let shortest = Duration.milliseconds(1)
    /// The longest time-out: 365 days.
    static let longest = Duration.seconds(365 * 86_400)

    /// The time-out to use.
    let duration: Duration
    /// Whether it is another one than was asked for.
    let wasClamped: Bool

    /// Converts seconds. What is not a number becomes `documented`, the documented default.
    init(seconds: TimeInterval, documented: Duration) {
        if seconds.isNaN {
            self.duration = documented
            self.wasClamped = true
        } else if seconds >= 365 * 86_400 {
            self.duration = Self.longest
            self.wasClamped = seconds > 365 * 86_400
        } else if seconds < 0.001 {
            self.duration = Self.shortest
            self.wasClamped = true
        } else {
            self.duration = .milliseconds(Int64((seconds * 1000).rounded()))
            self.wasClamped = false
        }
    }
}
