/// The number of consecutive failures that may be temporary, and the time of the next attempt.
struct RetryState: Hashable, Sendable {
    var failures = 0
    /// The time of the next attempt, on the monotonic clock.
    var at: Int64?

    /// Schedules the next attempt: later after each failure, and not before the delay that the server requested.
    mutating func putOff(
        from now: Moment, base: Int64, multiplier: Int64 = 2, hint: Int64?, entropy: UInt64
    ) {
        failures = min(failures, 1_000_000) + 1
        let wait = RetryDelay.wait(after: failures, base: base, multiplier: multiplier, entropy: entropy)
        let asked = min(max(hint ?? 0, 0), SocketRules.longestHint)
        at = now.after(milliseconds: max(wait, asked, Self.shortest)).monotonic
    }

    /// The shortest delay between two attempts, in milliseconds.
    static let shortest: Int64 = 250
}
