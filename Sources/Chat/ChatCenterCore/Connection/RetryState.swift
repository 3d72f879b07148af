/// Tries in a row that failed in a way that may pass, and when the next one is due.
struct RetryState: Hashable, Sendable {
    var failures = 0
    /// On the monotonic clock.
    var at: Int64?

    /// Puts the next try off: later after each failure, and never sooner than the server asked for.
    mutating func putOff(
        from now: Moment, base: Int64, multiplier: Int64 = 2, hint: Int64?, entropy: UInt64
    ) {
        failures = min(failures, 1_000_000) + 1
        let wait = RetryDelay.wait(after: failures, base: base, multiplier: multiplier, entropy: entropy)
        let asked = min(max(hint ?? 0, 0), SocketRules.longestHint)
        at = now.after(milliseconds: max(wait, asked, Self.shortest)).monotonic
    }

    /// No two tries follow each other faster, whatever was drawn. Milliseconds.
    static let shortest: Int64 = 250
}
