/// Exponential waiting times with full jitter, so that many clients that failed together do not retry together.
///
/// The caller chooses the unit and passes in the random numbers.
package struct ExponentialBackoff: Hashable, Sendable {
    /// The longest wait before the first step.
    private let base: Int64
    /// The factor by which the longest wait grows with each step.
    private let multiplier: Int64
    /// The upper limit of all waits.
    private let ceiling: Int64

    /// Creates a backoff. Each number is at least 1.
    package init(base: Int64, multiplier: Int64 = 2, ceiling: Int64) {
        self.base = max(1, base)
        self.multiplier = max(1, multiplier)
        self.ceiling = max(1, ceiling)
    }

    /// Returns the longest wait after a number of steps: `base` × `multiplier` ^ `steps`, at most the ceiling.
    package func longest(after steps: Int) -> Int64 {
        var longest = min(base, ceiling)
        var steps = multiplier > 1 ? steps : 0
        while steps > 0, longest < ceiling {
            let (product, overflow) = longest.multipliedReportingOverflow(by: multiplier)
            longest = overflow ? ceiling : min(product, ceiling)
            steps -= 1
        }
        return longest
    }

    /// Returns a wait between zero and the longest wait after a number of steps. `entropy` is a fresh random number.
    package func wait(after steps: Int, entropy: UInt64) -> Int64 {
        Int64(entropy % (UInt64(longest(after: steps)) + 1))
    }
}
