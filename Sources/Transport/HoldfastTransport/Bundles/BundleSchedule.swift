/// The schedule for fetching bundles. The caller supplies the random numbers.
package struct BundleSchedule: Hashable, Sendable {
    /// The outcome of an attempt.
    package enum Outcome: Hashable, Sendable {
        /// The server responded, and nothing needs a retry.
        case settled
        /// No usable response arrived. `retryAfter` is the delay that the server requested, in seconds.
        case failed(retryAfter: Double?)
    }

    /// The time between two successful attempts, in seconds.
    let interval: Int64
    /// The maximum random deviation from the interval, in percent.
    let jitter: Int64
    /// The rule for waits after failures.
    let backoff: Backoff
    /// The number of consecutive failures.
    package private(set) var failures: Int

    package init(interval: Duration, jitterPercent: Int, backoff: Backoff, failures: Int = 0) {
        self.interval = min(max(interval.components.seconds, 60), 1 << 31)
        self.jitter = Int64(min(max(jitterPercent, 0), 100))
        self.backoff = backoff
        self.failures = failures
    }

    /// Forgets earlier failures, as after a launch.
    package mutating func restart() { failures = 0 }

    /// Returns the time until the next attempt, in seconds.
    package mutating func next(after outcome: Outcome, entropy: UInt64) -> Int64 {
        switch outcome {
        case .settled:
            failures = 0
            // The deviation is symmetric, so the average equals the interval.
            let spread = interval * jitter / 100
            return max(1, interval - spread + Int64(entropy % UInt64(2 * spread + 1)))
        case .failed(let retryAfter):
            failures = min(failures + 1, 1_000)
            return backoff.delay(failures: failures, retryAfter: retryAfter, entropy: entropy)
        }
    }
}
