/// A date in the HTTP format (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Does not read the obsolete formats, which servers have not sent for decades, and refuses dates that do not exist.
package struct HTTPDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Seconds since 1970.
    package let seconds: Int64

    /// Creates a date from seconds since 1970. Returns `nil` outside of the years 1970 to 9999.
    package init?(seconds: Int64) {
        guard (0...253_402_300_799).contains(seconds) else { return nil }
        self.seconds = seconds
    }

    /// Reads a date. Does not compare the name of the weekday with the date. A leap second becomes the first second of
    /// the next minute.
    package init?(_ text: some StringProtocol) {
        let fields = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, fields.count == 6, fields[0].utf8.count == 4, fields[0].hasSuffix(","),
            fields[5] == "GMT", let day = Self.number(fields[1], digits: 2),
            let month = Self.months.firstIndex(where: { fields[2] == $0 }),
            let year = Self.number(fields[3], digits: 4),
            let date = CivilDate(year: year, month: Int64(month) + 1, day: day)
        else { return nil }
        let clock = fields[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = Self.number(clock[0], digits: 2), hour < 24,
            let minute = Self.number(clock[1], digits: 2), minute < 60,
            let second = Self.number(clock[2], digits: 2), second <= 60
        else { return nil }
        seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.seconds < rhs.seconds }

    package var description: String {
        let (days, second) = seconds.flooredQuotientAndRemainder(dividingBy: 86_400)
        let date = CivilDate(daysSince1970: days)
        let weekday = Self.weekdays[Int(days.flooredQuotientAndRemainder(dividingBy: 7).remainder)]
        let clock = [second / 3_600, second / 60 % 60, second % 60].map(Self.twoDigits).joined(separator: ":")
        let year = String(repeating: "0", count: 4 - String(date.year).count) + String(date.year)
        return "\(weekday), \(Self.twoDigits(date.day)) \(Self.months[Int(date.month) - 1]) \(year) \(clock) GMT"
    }

    /// The list starts with Thursday, because 1970-01-01 was a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

    private static func number(_ text: some StringProtocol, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
