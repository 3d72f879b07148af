public import Foundation

/// The rules for retrying failed requests: which requests, how often and after which delay.
public struct RetryPolicy: Sendable {
    /// The maximum number of retries. A negative number means none. After the last retry, the response or error goes to
    /// the caller.
    public let maxRetries: Int
    /// The first delay in seconds.
    public let baseDelay: TimeInterval
    /// The maximum delay in seconds, except for a server's `Retry-After`.
    public let maxDelay: TimeInterval
    /// The jitter of delays. With `nil`, each delay is `min(maxDelay, baseDelay · 2ⁿ)`.
    public let jitter: JitterStrategy?
    /// Decides whether to retry after a failure that can be retried. It receives the status and
    /// `NetworkError.httpStatusError` if the response does not indicate success, or 0 and the error if there was no
    /// response.
    public let shouldRetry: @Sendable (Int, any Error) -> Bool
    /// The requests that may be retried after a server may have received them.
    public let methods: RetriedMethods
    /// The maximum delay that a server may request with `Retry-After`, in seconds. If it requests more, the response
    /// goes to the caller.
    public let maxRetryAfter: TimeInterval

    /// Makes a policy.
    ///
    /// Delays that are negative or not a number count as zero. The maximum is one hundred years.
    ///
    /// - Parameters:
    ///   - maxRetries: The maximum number of retries.
    ///   - baseDelay: The first delay in seconds.
    ///   - maxDelay: The maximum delay in seconds.
    ///   - jitter: The jitter of delays.
    ///   - shouldRetry: Decides whether a failure is retried. It is not called for a refused server, refused cleartext
    ///     or a cancelled task, which are always final.
    ///   - methods: The requests that may be retried after a server may have received them.
    ///   - maxRetryAfter: The maximum accepted `Retry-After` in seconds.
    public init(
        maxRetries: Int = 3, baseDelay: TimeInterval = 0.5, maxDelay: TimeInterval = 30.0,
        jitter: JitterStrategy? = .full,
        shouldRetry: @escaping @Sendable (Int, any Error) -> Bool = RetryPolicy.defaultShouldRetry,
        methods: RetriedMethods = .idempotent, maxRetryAfter: TimeInterval = 60.0
    ) {
        self.maxRetries = maxRetries
        self.baseDelay = baseDelay
        self.maxDelay = maxDelay
        self.jitter = jitter
        self.shouldRetry = shouldRetry
        self.methods = methods
        self.maxRetryAfter = maxRetryAfter
    }

    /// Retries after 429, 5xx and temporary errors such as a failed connection, a timeout or a lost connection. Does
    /// not retry after errors of the request, the server's identity or the caller. Retries after unknown errors.
    public static func defaultShouldRetry(statusCode: Int, error: any Error) -> Bool {
        RetryVerdict(error) == .worthwhile
    }

    /// Returns the delay after a failed attempt in seconds, by the formulas of ``JitterStrategy``.
    ///
    /// - Parameters:
    ///   - attempt: The number of earlier failed attempts.
    ///   - previousDelay: The previous delay; ``baseDelay`` at first.
    ///   - random: A number from 0 up to, but not including, 1.
    func delay(forAttempt attempt: Int, previousDelay: TimeInterval, random: Double) -> TimeInterval {
        let cap = Self.seconds(maxDelay)
        let base = min(cap, Self.seconds(baseDelay))
        let share = random > 0 ? min(random, 1) : 0
        // Both factors are non-negative. The power may be infinite, and zero times infinity is not a number.
        let exponential = base > 0 ? min(cap, base * pow(2, Double(max(0, attempt)))) : 0
        switch jitter {
        case nil: return exponential
        case .full: return exponential * share
        case .equal: return exponential / 2 + exponential / 2 * share
        case .decorrelated:
            let upper = max(base, Self.seconds(previousDelay) * 3)
            return min(cap, base + (upper - base) * share)
        }
    }

    /// Returns the number as a delay. A negative number or NaN becomes zero; the maximum is one hundred years.
    static func seconds(_ value: TimeInterval) -> TimeInterval {
        value > 0 ? min(value, 3_155_760_000) : 0
    }
}

/// The jitter of delays between attempts, so that clients that failed together do not retry together.
///
/// The formulas and names are those of Marc Brooker, "Exponential Backoff and Jitter" (AWS Architecture Blog, 2015).
/// `cap` is the maximum delay, `base` the first delay, and `n` the number of earlier failed attempts.
public enum JitterStrategy: Hashable, Sendable, CaseIterable {
    /// `random(0, min(cap, base · 2ⁿ))`: the widest range.
    case full
    /// `t / 2 + random(0, t / 2)` with `t = min(cap, base · 2ⁿ)`: at least half of the delay.
    case equal
    /// `min(cap, random(base, 3 · previous delay))`: each delay depends on the previous one.
    case decorrelated
}

/// The requests that may be sent again after a server may have received them.
public enum RetriedMethods: Hashable, Sendable {
    /// Requests with an idempotent method (RFC 9110, 9.2.2: `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT`, `DELETE`) or an
    /// `Idempotency-Key`. Other requests are sent again only if they were never sent.
    case idempotent
    /// All requests, as in GentleNetworking. An order whose response is lost is then placed twice.
    case all

    /// Returns whether a request with this method may be sent again.
    func allow(method: String?, hasKey: Bool) -> Bool {
        switch self {
        case .all: true
        case .idempotent:
            hasKey || ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method ?? "GET")
        }
    }
}
