import HoldfastBase

/// Delays between retries, in milliseconds.
enum RetryDelay {
    /// The longest delay between two attempts.
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
