/// How a transfer goes on by itself after a connection was lost.
///
/// Only a lost connection is tried again: closed or reset by the other side, or, after such a loss, refused. A refused server (trust),
/// a time-out, an absent network, an answer that makes no sense and a full disk end the transfer at once; what has arrived stays for the
/// next call.
public struct TransferRetry: Sendable {
    /// How many connections may be lost in a row without a byte of progress; the next loss ends the transfer. Four by default. Zero:
    /// nothing is tried again. Progress begins the count anew.
    public var attempts: Int
    /// The wait after the first loss, doubled after each one in a row. Half a second by default.
    public var firstDelay: Duration
    /// The longest wait. Thirty seconds by default.
    public var longestDelay: Duration
    /// A number from 0 to 1, drawn for each wait: the wait is between half and all of what it would be. The system's generator
    /// by default.
    public var random: @Sendable () -> Double

    /// Makes rules.
    public init(
        attempts: Int = 4, firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(30),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.random = random
    }

    /// Nothing is tried again.
    public static let never = TransferRetry(attempts: 0)

    /// The wait after so many losses in a row, from one.
    func delay(after losses: Int) -> Duration {
        var delay = max(.zero, min(firstDelay, longestDelay))
        // Sixty doublings reach any limit; a larger count changes nothing.
        for _ in 1..<max(1, min(losses, 60)) where delay < longestDelay { delay = min(delay * 2, longestDelay) }
        let drawn = random()
        let factor = drawn.isFinite ? min(max(drawn, 0), 1) : 1
        return delay / 2 + delay / 2 * factor
    }
}
