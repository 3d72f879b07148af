import HoldfastNIO

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
