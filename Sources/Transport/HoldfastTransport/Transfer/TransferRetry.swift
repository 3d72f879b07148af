import HoldfastNIO

/// The rules for retrying a transfer after its connection was lost.
///
/// Only a lost connection is retried: one that the peer closed or reset, or that was refused after such a loss. A
/// refused server (trust), a timeout, a missing network, an invalid response or a full disk ends the transfer at once.
/// The received bytes are kept for the next call.
public struct TransferRetry: Sendable {
    /// The number of consecutive lost connections without progress after which the next loss ends the transfer. Four by
    /// default; zero disables retries. Progress resets the count.
    public var attempts: Int
    /// The wait after the first loss; it doubles with each consecutive loss. Half a second by default.
    public var firstDelay: Duration
    /// The maximum wait. Thirty seconds by default.
    public var longestDelay: Duration
    /// A closure that returns a random number from 0 to 1 for each wait. The actual wait is between half and all of the
    /// calculated wait. Uses the system's generator by default.
    public var random: @Sendable () -> Double

    /// Creates retry rules.
    public init(
        attempts: Int = 4, firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(30),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.random = random
    }

    /// Rules without retries.
    public static let never = TransferRetry(attempts: 0)

    /// Returns the wait after a number of consecutive losses, at least one.
    func delay(after losses: Int) -> Duration {
        var delay = max(.zero, min(firstDelay, longestDelay))
        // Sixty doublings reach any limit, so larger counts are capped.
        for _ in 1..<max(1, min(losses, 60)) where delay < longestDelay { delay = min(delay * 2, longestDelay) }
        let drawn = random()
        let factor = drawn.isFinite ? min(max(drawn, 0), 1) : 1
        return delay / 2 + delay / 2 * factor
    }
}

/// Counts lost connections and decides whether to retry.
struct AttemptCounter: Sendable {
    private let retry: TransferRetry
    private(set) var losses = 0
    /// The number of attempts, including the current one.
    private(set) var attempts = 1

    init(_ retry: TransferRetry) {
        self.retry = retry
    }

    /// Records that bytes were transferred since the last loss.
    mutating func progressed() {
        losses = 0
    }

    /// Records a failed attempt. Returns the wait before the next attempt, or `nil` if there is none.
    mutating func failed(_ error: any Error) -> Duration? {
        guard let error = error as? TransportError, isLoss(error), losses < retry.attempts else { return nil }
        losses += 1
        let (sum, overflows) = attempts.addingReportingOverflow(1)
        attempts = overflows ? attempts : sum
        return retry.delay(after: losses)
    }

    private func isLoss(_ error: TransportError) -> Bool {
        switch error.code {
        case .connectionClosed: true
        case .tlsHandshakeFailed: error.handshake?.code == .closed || error.handshake?.code == .reset
        // A restarting server refuses connections for a moment. A server that refuses the first connection is not
        // running.
        case .connectionRefused: attempts > 1
        default: false
        }
    }
}

/// An event during a transfer, other than progress.
public enum TransferEvent: Sendable {
    /// The transfer resumes after this number of bytes from an earlier attempt.
    case resuming(at: Int64)
    /// The bytes of an earlier attempt were discarded, for this reason.
    case startedOver(reason: String)
    /// The connection was lost. Another attempt follows after the wait.
    case lost(TransportError, waiting: Duration)
}
