import HoldfastBase
import HoldfastTrust

/// Decides what follows an attempt to deliver a message. Times and random numbers are parameters.
enum WebhookRetry {
    /// The maximum number of attempts for a message.
    static let attempts = 12
    /// The longest time that a receiver may ask to wait, in seconds: one hour. A longer one counts as one hour.
    static let longestRequestedWait: Int64 = 3_600
    private static let second: Int64 = 1_000_000_000
    private static let backoff = ExponentialBackoff(base: 2 * second, ceiling: 900 * second)

    /// The result of an attempt.
    enum Attempt: Hashable, Sendable {
        /// The receiver has taken the message.
        case delivered
        /// Another attempt can succeed. The receiver may ask to wait a number of seconds.
        case failed(retryAfter: Int64?)
        /// Another attempt cannot succeed.
        case refused
    }

    /// What an attempt means for its message.
    enum Outcome: Hashable, Sendable {
        case sent
        case retried(at: Timestamp)
        case givenUp

        /// What the store does.
        var settlement: WebhookNotice.Settlement {
            switch self {
            case .sent, .givenUp: .ended
            case .retried(let time): .retried(at: time)
            }
        }
    }

    /// Returns the outcome of an attempt after a number of earlier failures.
    static func outcome(of attempt: Attempt, failures: Int, at now: Timestamp, entropy: UInt64) -> Outcome {
        switch attempt {
        case .delivered: return .sent
        case .refused: return .givenUp
        case .failed(let retryAfter):
            let failures = min(max(failures, 0), attempts) + 1
            guard failures < attempts else { return .givenUp }
            // Times are whole seconds: at least one passes between two attempts, also with small random numbers.
            let own = max(1, backoff.wait(after: failures, entropy: entropy) / second)
            return .retried(at: now.advanced(bySeconds: max(own, min(retryAfter ?? 0, longestRequestedWait))))
        }
    }
}
