import HoldfastNIO

/// Counts lost connections, as a value, and decides whether there is another attempt.
struct AttemptCounter: Sendable {
    private let retry: TransferRetry
    private(set) var losses = 0
    /// How many attempts there were, the running one included.
    private(set) var attempts = 1

    init(_ retry: TransferRetry) {
        self.retry = retry
    }

    /// Bytes have moved since the last loss.
    mutating func progressed() {
        losses = 0
    }

    /// An attempt has failed. Returns how long to wait before the next; `nil` if there is none.
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
        // A server that restarts refuses for a moment. One that refuses at first is not there.
        case .connectionRefused: attempts > 1
        default: false
        }
    }
}
