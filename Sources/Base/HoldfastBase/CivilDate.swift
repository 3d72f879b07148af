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
