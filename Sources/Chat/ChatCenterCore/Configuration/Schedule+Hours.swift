package import ChatWire

// The working hours. Intervals use the server's clock in UTC, the time zone of the server's timestamps. Monday is day
// 1. An interval that ends before it begins continues on the next day.
extension Schedule {
    private static let day: Int64 = 86_400
    private static let week: Int64 = 7 * day
    /// The largest number of intervals that are evaluated. A week with one interval per quarter of an hour has fewer.
    /// Further ones are ignored.
    private static let longestList = 700

    /// Returns the second of the week; Monday 00:00:00 is 0. 1970-01-01 was a Thursday.
    private static func secondOfWeek(_ milliseconds: Int64) -> Int64 {
        let seconds = milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
        return (seconds % week + week + 3 * day) % week
    }

    /// Returns the start of an interval as a second of the week, and its length in seconds.
    private static func span(_ interval: Interval) -> (start: Int64, length: Int64) {
        let start = min(max(interval.startTime, 0), day - 1)
        let end = min(max(interval.endTime, 0), day - 1)
        return ((interval.weekDay - 1) * day + start, (end - start + (end < start ? day : 0)) + 1)
    }

    /// Returns whether the company is open at this server time. Without intervals, `active` decides; without both, the
    /// company is open.
    package func isOpen(at serverTime: Int64) -> Bool {
        guard active != false else { return false }
        guard !intervals.isEmpty else { return true }
        let now = Self.secondOfWeek(serverTime)
        return intervals.prefix(Self.longestList).contains { interval in
            let (start, length) = Self.span(interval)
            return (now - start + Self.week) % Self.week < length
        }
    }

    /// Returns the milliseconds until the result of `isOpen` may change; `nil` if it never changes.
    package func untilChange(at serverTime: Int64) -> Int64? {
        guard active != false, !intervals.isEmpty else { return nil }
        let now = Self.secondOfWeek(serverTime)
        var next = Self.week
        for interval in intervals.prefix(Self.longestList) {
            let (start, length) = Self.span(interval)
            for boundary in [start, start + length] {
                let distance = ((boundary - now) % Self.week + Self.week) % Self.week
                if distance > 0 { next = min(next, distance) }
            }
        }
        let passed = ((serverTime % 1000) + 1000) % 1000
        return next * 1000 - passed
    }
}
