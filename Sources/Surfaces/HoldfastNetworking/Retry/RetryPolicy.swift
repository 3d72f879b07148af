public import Foundation
import HoldfastTransport

/// Which failed requests are sent again, how often, and after which wait.
public struct RetryPolicy: Sendable {
    /// How many times a request is sent again. A negative number means none.
    public let maxRetries: Int
    /// The first wait, in seconds.
    public let baseDelay: TimeInterval
    /// The longest wait of the policy's own, in seconds.
    public let maxDelay: TimeInterval
    /// How waits are spread; `nil`: `min(maxDelay, baseDelay · 2ⁿ)` each time.
    public let jitter: JitterStrategy?
    /// Asked after each failure that may be repeated at all: with the status and `NetworkError.httpStatusError` for a
    /// response that is none of success, with 0 and the error where no response came.
    public let shouldRetry: @Sendable (Int, any Error) -> Bool
    /// Which requests may be repeated after a server may have seen them.
    public let methods: RetriedMethods
    /// The longest wait that a server may ask for with `Retry-After`, in seconds. If it asks for a longer one the request is
    /// not repeated, and its response goes to the caller.
    public let maxRetryAfter: TimeInterval

    /// Makes a policy.
    ///
    /// Waits that are no number or negative count as zero, and none is longer than a hundred years.
    ///
    /// - Parameters:
    ///   - maxRetries: How many times a request is sent again.
    ///   - baseDelay: The first wait, in seconds.
    ///   - maxDelay: The longest wait, in seconds.
    ///   - jitter: How waits are spread.
    ///   - shouldRetry: What is worth repeating. A refused server, refused cleartext and a cancelled task are not asked
    ///     about: they are final whatever this says.
    ///   - methods: Which requests may be repeated after a server may have seen them.
    ///   - maxRetryAfter: The longest `Retry-After` that is waited for, in seconds.
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

    /// Repeats after 429 and 5xx, and after errors that another attempt may well not meet: no connection, a time-out, a
    /// connection that broke. Not after errors that say that the request, the server or the caller is at fault; an error that
    /// Holdfast does not know is repeated.
    public static func defaultShouldRetry(statusCode: Int, error: any Error) -> Bool {
        RetryVerdict(error) == .worthwhile
    }

    /// The wait after the attempt with this number, in seconds: the formulas of ``JitterStrategy``.
    ///
    /// - Parameters:
    ///   - attempt: How many attempts failed before this one.
    ///   - previousDelay: The wait before; ``baseDelay`` at first.
    ///   - random: A number from 0 up to 1.
    func delay(forAttempt attempt: Int, previousDelay: TimeInterval, random: Double) -> TimeInterval {
        let cap = Self.seconds(maxDelay)
        let base = min(cap, Self.seconds(baseDelay))
        let share = random > 0 ? min(random, 1) : 0
        // Both factors are finite and the first is not negative; the power may be infinite, and zero times that no number.
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

    /// The number as a wait: what is none, or negative, is zero, and a hundred years are the most, as everywhere.
    static func seconds(_ value: TimeInterval) -> TimeInterval {
        value > 0 ? min(value, 3_155_760_000) : 0
    }
}

/// How the waits between attempts are spread, so that clients that failed together do not come back together.
///
/// The formulas are those that Marc Brooker gave these names in "Exponential Backoff and Jitter" (AWS Architecture Blog,
/// 2015). There, `cap` is the longest wait, `base` the first one, and `n` counts the attempts that failed, from zero.
public enum JitterStrategy: Hashable, Sendable, CaseIterable {
    /// `random(0, min(cap, base · 2ⁿ))`: the widest spread.
    case full
    /// `t / 2 + random(0, t / 2)` with `t = min(cap, base · 2ⁿ)`: never less than half.
    case equal
    /// `min(cap, random(base, 3 · the wait before))`: each wait follows from the last.
    case decorrelated
}

/// Which requests may be sent a second time after a server may have seen them.
public enum RetriedMethods: Hashable, Sendable {
    /// Those whose method is idempotent (RFC 9110, 9.2.2: `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT`, `DELETE`), and those
    /// that carry an `Idempotency-Key`. The others are sent again only if they never left.
    case idempotent
    /// All, as GentleNetworking does it: an order whose answer is lost is placed twice.
    case all

    /// Whether a request with this method may be repeated after it has been sent.
    func allow(method: String?, hasKey: Bool) -> Bool {
        switch self {
        case .all: true
        case .idempotent:
            hasKey || ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method ?? "GET")
        }
    }
}
