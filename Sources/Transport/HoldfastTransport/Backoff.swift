package import HoldfastBase
package import HoldfastTrust

/// The rule for the wait after a failure: exponential backoff with full jitter, in whole seconds.
///
/// The jitter keeps clients that failed at the same time from retrying at the same time. The caller supplies the random
/// numbers.
public struct Backoff: Hashable, Sendable {
    /// The maximum wait after the first failure, in seconds. It doubles with each further failure.
    public var base: Int64
    /// The maximum wait, in seconds.
    public var ceiling: Int64
    /// The maximum wait that a server can request (`Retry-After`), in seconds. Longer requests are capped.
    public var retryAfterCeiling: Int64

    /// Creates a backoff rule.
    public init(base: Int64, ceiling: Int64, retryAfterCeiling: Int64) {
        self.base = base
        self.ceiling = ceiling
        self.retryAfterCeiling = retryAfterCeiling
    }

    /// The longest possible wait.
    package var longest: Int64 { max(1, min(max(ceiling, retryAfterCeiling), 1 << 32)) }

    /// Returns the wait after a number of consecutive failures, in seconds.
    ///
    /// The wait is random between zero and the current maximum, but at least one second and at least the time that the
    /// server requested.
    ///
    /// - Parameter entropy: A new random number.
    package func delay(failures: Int, retryAfter: Double? = nil, entropy: UInt64) -> Int64 {
        let waits = ExponentialBackoff(base: base, ceiling: min(ceiling, longest))
        let drawn = waits.wait(after: max(1, failures) - 1, entropy: entropy)
        let asked = min(Duration(clampingSeconds: retryAfter ?? 0).components.seconds, max(0, retryAfterCeiling))
        return min(max(1, drawn, asked), longest)
    }
}

extension RetryAfter {
    /// Returns the wait that a field requests, in seconds. Returns infinity if the number is too large, and `nil` if
    /// the field has no valid wait.
    package static func seconds(_ text: String?, now: Timestamp) -> Double? {
        RetryAfter(text).map { wait in
            let seconds = wait.seconds(from: now.secondsSince1970)
            return seconds == .max ? .infinity : Double(seconds)
        }
    }
}
