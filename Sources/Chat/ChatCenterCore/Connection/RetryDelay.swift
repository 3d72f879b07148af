import HoldfastBase

/// Delays between retries, in milliseconds.
enum RetryDelay {
    /// The longest delay between two attempts, in milliseconds.
    static let longest: Int64 = 60_000

    /// Returns a random delay between 0 and `base` × `multiplier` ^ `failures`, at most ``longest``.
    static func wait(after failures: Int, base: Int64, multiplier: Int64 = 2, entropy: UInt64) -> Int64 {
        waits(base, multiplier).wait(after: failures, entropy: entropy)
    }

    /// Returns the longest possible delay after this number of failures.
    static func span(after failures: Int, base: Int64, multiplier: Int64 = 2) -> Int64 {
        waits(base, multiplier).longest(after: failures)
    }

    private static func waits(_ base: Int64, _ multiplier: Int64) -> ExponentialBackoff {
        ExponentialBackoff(base: base, multiplier: multiplier, ceiling: longest)
    }
}

/// The number of consecutive failures that may be temporary, and the time of the next attempt.
struct RetryState: Hashable, Sendable {
    var failures = 0
    /// The time of the next attempt, on the monotonic clock.
    var at: Int64?

    /// Schedules the next attempt: later after each failure, and not before the delay that the server requested.
    mutating func putOff(
        from now: Moment, base: Int64, multiplier: Int64 = 2, hint: Int64?, entropy: UInt64
    ) {
        failures = min(failures, 1_000_000) + 1
        let wait = RetryDelay.wait(after: failures, base: base, multiplier: multiplier, entropy: entropy)
        let asked = min(max(hint ?? 0, 0), SocketRules.longestHint)
        at = now.after(milliseconds: max(wait, asked, Self.shortest)).monotonic
    }

    /// The shortest delay between two attempts, in milliseconds.
    static let shortest: Int64 = 250
}
