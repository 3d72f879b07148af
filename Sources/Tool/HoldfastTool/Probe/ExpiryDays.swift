import HoldfastTrust

/// Counts days to an end.
enum ExpiryDays {
    /// Whole days from `now` to `end`, rounded down: 0 in the last 24 hours, negative afterwards. Clamped, never a trap: the end is
    /// a server's word.
    static func left(from now: Timestamp, to end: Timestamp) -> Int64 {
        let (seconds, overflow) = end.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
        guard !overflow else { return end < now ? .min : .max }
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return rest < 0 ? days - 1 : days
    }

    /// Days in words.
    static func words(_ days: Int64) -> String {
        switch days {
        case ..<0: "ended"
        case 0: "less than a day left"
        case 1: "1 day left"
        default: "\(days) days left"
        }
    }
}
