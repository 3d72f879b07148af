/// The waits between tries: full jitter, so that a thousand clients that lost the same server do not come back at the
/// same moment.
enum Backoff {
    /// The longest wait between two tries, in milliseconds.
    static let longest: Int64 = 60_000

    /// Anything between nothing and `base` × `multiplier` ^ `failures`, at most `longest`. Milliseconds.
    static func wait(after failures: Int, base: Int64, multiplier: Int64 = 2, entropy: UInt64) -> Int64 {
        Int64(entropy % UInt64(span(after: failures, base: base, multiplier: multiplier) + 1))
    }

    /// The longest wait after so many failures.
    static func span(after failures: Int, base: Int64, multiplier: Int64 = 2) -> Int64 {
        var span = max(1, base)
        for _ in 0..<min(max(failures, 0), 16) {
            guard span < longest else { break }
            span = span.saturatingMultiply(max(1, multiplier))
        }
        return min(span, longest)
    }
}
