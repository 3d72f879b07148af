import HoldfastBase

/// The waits between tries, in milliseconds.
enum RetryDelay {
    /// The longest wait between two tries.
    static let longest: Int64 = 60_000

    /// Anything between nothing and `base` × `multiplier` ^ `failures`, at most ``longest``.
    static func wait(after failures: Int, base: Int64, multiplier: Int64 = 2, entropy: UInt64) -> Int64 {
        waits(base, multiplier).wait(after: failures, entropy: entropy)
    }

    /// The longest wait after so many failures.
    static func span(after failures: Int, base: Int64, multiplier: Int64 = 2) -> Int64 {
        waits(base, multiplier).longest(after: failures)
    }

    private static func waits(_ base: Int64, _ multiplier: Int64) -> ExponentialBackoff {
        ExponentialBackoff(base: base, multiplier: multiplier, ceiling: longest)
    }
}
