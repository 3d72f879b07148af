import HoldfastTrust

/// A UTC calendar date and time of day in the proleptic Gregorian calendar. Kept apart from Holdfast's own calendar so
/// that a mistake there cannot hide in the certificates that test it.
struct CivilTime: Hashable, Sendable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// Splits an instant. Years are held within 0...9999, which is all that a certificate can say.
    init(_ instant: Timestamp) {
        let seconds = min(max(instant.secondsSince1970, -62_167_219_200), 253_402_300_799)
        let (days, secondOfDay) = seconds.quotientAndRemainder(flooringBy: 86_400)
        // Counted from 1 March of year 0, so that the leap day is the last day of a year of 365.2425 days.
        let fromMarch = days + 719_468
        let (era, dayOfEra) = fromMarch.quotientAndRemainder(flooringBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        self.day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
        self.month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
        self.year = Int(yearOfEra + era * 400) + (marchMonth < 10 ? 0 : 1)
        self.hour = Int(secondOfDay / 3_600)
        self.minute = Int(secondOfDay / 60 % 60)
        self.second = Int(secondOfDay % 60)
    }
}

extension Int64 {
    fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
