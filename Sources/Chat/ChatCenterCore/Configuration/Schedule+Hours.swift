package import ChatWire

// The hours. Intervals are by the server's clock in UTC, the zone in which it writes its times; Monday is day 1. One that
// ends before it begins goes on into the next day.
extension Schedule {
    private static let day: Int64 = 86_400
    private static let week: Int64 = 7 * day
    /// More intervals are not looked at; a week with one for each quarter of an hour has fewer.
    private static let longestList = 700

    /// Second of the week, Monday 00:00:00 is 0. 1970-01-01 was a Thursday.
    private static func secondOfWeek(_ milliseconds: Int64) -> Int64 {
        let seconds = milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
        return (seconds % week + week + 3 * day) % week
    }

    /// The spans of an interval in seconds of the week, the end not included.
    private static func span(_ interval: Interval) -> (start: Int64, length: Int64) {
        let start = min(max(interval.startTime, 0), day - 1)
        let end = min(max(interval.endTime, 0), day - 1)
        return ((interval.weekDay - 1) * day + start, (end - start + (end < start ? day : 0)) + 1)
    }

    /// Whether somebody is there at this time of the server. Without intervals `active` alone decides; a schedule that
    /// says nothing is open.
    package func isOpen(at serverTime: Int64) -> Bool {
        guard active != false else { return false }
        guard !intervals.isEmpty else { return true }
        let now = Self.secondOfWeek(serverTime)
        return intervals.prefix(Self.longestList).contains { interval in
            let (start, length) = Self.span(interval)
            return (now - start + Self.week) % Self.week < length
        }
    }

    /// Milliseconds until the answer of `isOpen` may change; `nil` when it never does by itself.
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
