/// A day of the proleptic Gregorian calendar. Uses no calendar library, no time zone and no clock.
package struct CivilDate: Hashable, Sendable {
    package let year: Int64
    /// The month, from 1 to 12.
    package let month: Int64
    /// The day of the month, from 1.
    package let day: Int64

    /// Creates a day of the years 0 to 9999, or returns `nil` if the date does not exist.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard (0...9999).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the day that lies `days` days after 1970-01-01. A day outside of the years 0 to 9999 becomes the nearest
    /// day inside.
    package init(daysSince1970 days: Int64) {
        // The range is 0000-01-01 to 9999-12-31.
        let days = min(max(days, -719_528), 2_932_896)
        let (era, dayOfEra) = (days + Self.shift).flooredQuotientAndRemainder(dividingBy: Self.daysInEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days since 1970-01-01, negative for earlier days.
    package var daysSince1970: Int64 {
        // The calculation starts each year in March, so that the leap day is the last day of the year.
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.flooredQuotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * Self.daysInEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.shift
    }

    /// The number of days in 400 years, after which the calendar repeats.
    private static let daysInEra: Int64 = 146_097
    /// The number of days from 0000-03-01 to 1970-01-01.
    private static let shift: Int64 = 719_468

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int64 {
    /// Returns the quotient rounded down and the remainder, which is never negative. The divisor must be positive.
    package func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// A date in the HTTP format (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Does not read the obsolete formats, which servers have not sent for decades, and refuses dates that do not exist.
package struct HTTPDate: Hashable, Sendable, CustomStringConvertible {
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

    package var description: String {
        let (days, second) = seconds.flooredQuotientAndRemainder(dividingBy: 86_400)
        let date = CivilDate(daysSince1970: days)
        let weekday = Self.weekdays[Int(days.flooredQuotientAndRemainder(dividingBy: 7).remainder)]
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        let (day, month) = (date.day.padded(to: 2), Self.months[Int(date.month) - 1])
        return "\(weekday), \(day) \(month) \(date.year.padded(to: 4)) \(clock) GMT"
    }

    /// The list starts with Thursday, because 1970-01-01 was a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: some StringProtocol, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
