/// When to look for a bundle again. A value: randomness is handed in.
struct BundleSchedule: Hashable, Sendable {
    /// How an attempt ended.
    enum Outcome: Hashable, Sendable {
        /// There was an answer, and all is in order.
        case settled
        /// There was none, or none that could be used; `retryAfter` is what the server asked for, in seconds.
        case failed(retryAfter: Double?)
    }

    /// Seconds between two looks where all goes well.
    let interval: Int64
    /// By how much each of them is drawn to differ, in hundredths of the interval.
    let jitter: Int64
    /// The waits after failures.
    let backoff: Backoff
    /// Failures in a row.
    private(set) var failures = 0

    init(interval: Duration, jitterPercent: Int, backoff: Backoff) {
        self.interval = min(max(interval.components.seconds, 60), 1 << 31)
        self.jitter = Int64(min(max(jitterPercent, 0), 100))
        self.backoff = backoff
    }

    /// How many seconds to wait now.
    mutating func next(after outcome: Outcome, entropy: UInt64) -> Int64 {
        switch outcome {
        case .settled:
            failures = 0
            // Around the interval, so that on average it is one.
            let spread = interval * jitter / 100
            return max(1, interval - spread + Int64(entropy % UInt64(2 * spread + 1)))
        case .failed(let retryAfter):
            failures = min(failures + 1, 1_000)
            return backoff.delay(failures: failures, retryAfter: retryAfter, entropy: entropy)
        }
    }
}
