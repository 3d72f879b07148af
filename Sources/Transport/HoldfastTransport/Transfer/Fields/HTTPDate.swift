/// A date as HTTP writes it (RFC 9110, 5.6.7), in seconds since 1970. The obsolete forms are not read: servers have not sent
/// them for decades, and a date that cannot be read only means that a download is not resumed by it.
struct HTTPDate: Hashable, Sendable, Comparable {
    let seconds: Int64

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`. The name of the day is not compared with the date.
    init?(_ text: String) {
        let fields = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, fields.count == 6, fields[0].hasSuffix(","), fields[5] == "GMT",
            let day = Self.number(fields[1], digits: 2), let year = Self.number(fields[3], digits: 4),
            let index = Self.months.firstIndex(of: String(fields[2]))
        else { return nil }
        let clock = fields[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = Self.number(clock[0], digits: 2),
            let minute = Self.number(clock[1], digits: 2),
            let second = Self.number(clock[2], digits: 2), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        seconds = Self.days(year: year, month: Int64(index) + 1, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.seconds < rhs.seconds }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// Days from 1970-01-01 in the Gregorian calendar, years counted from March so that the leap day is the last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        return shifted * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + (day - 1) - 719_468
    }
}
