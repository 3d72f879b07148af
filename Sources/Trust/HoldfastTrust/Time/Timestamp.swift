/// An instant, in whole seconds since 1970-01-01T00:00:00Z.
///
/// Every trust decision takes its time as a parameter of this type: nothing in a decision reads a clock. An integer
/// and not a floating-point number, so that no value can trap or lose a second.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z; negative before it.
    public var secondsSince1970: Int64

    /// Makes an instant from seconds since 1970-01-01T00:00:00Z.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.secondsSince1970 < rhs.secondsSince1970
    }

    /// The instant `seconds` later, clamped to what the type can hold.
    public func advanced(bySeconds seconds: Int64) -> Timestamp {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        return Timestamp(secondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
    }
}

extension Timestamp {
    /// Makes an instant from a date and time in UTC (proleptic Gregorian calendar); `nil` if there is no such date.
    /// A leap second is counted as the second before it.
    public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second),
            (1...Timestamp.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        // Days since 1970-01-01, counted in years that begin in March so that the leap day comes last.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        self.init(secondsSince1970: Int64(days * 86_400 + hour * 3_600 + minute * 60 + min(second, 59)))
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The date and time in UTC.
    var civil: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        let (wholeDays, secondOfDay) = secondsSince1970.flooredQuotientAndRemainder(dividingBy: 86_400)
        let days = Int(wholeDays) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let second = Int(secondOfDay)
        return (year, month, day, second / 3_600, second / 60 % 60, second % 60)
    }
}

extension Int64 {
    fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension Timestamp: CustomStringConvertible {
    /// ISO 8601 in UTC, as in `2026-03-01T12:00:00Z`. Instants outside the years 0 to 9999 are given in seconds.
    public var description: String {
        guard (-62_167_219_200...253_402_300_799).contains(secondsSince1970) else { return "@\(secondsSince1970)" }
        let parts = civil
        func padded(_ number: Int, _ width: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(padded(parts.year, 4))-\(padded(parts.month))-\(padded(parts.day))"
            + "T\(padded(parts.hour)):\(padded(parts.minute)):\(padded(parts.second))Z"
    }

    /// Reads `2026-03-01T12:00:00Z`, also with a fraction (cut off), an offset such as `+02:00`, or the date alone
    /// (midnight UTC at its start); `nil` for anything else.
    public init?(iso8601 text: String) {
        var rest = Substring(text)
        func digits(_ count: Int, from rest: inout Substring) -> Int? {
            let head = rest.prefix(count)
            guard head.utf8.count == count, head.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest.dropFirst(count)
            return Int(head)
        }
        func character(_ wanted: Set<Character>, from rest: inout Substring) -> Character? {
            guard let first = rest.first, wanted.contains(first) else { return nil }
            rest = rest.dropFirst()
            return first
        }
        guard let year = digits(4, from: &rest), character(["-"], from: &rest) != nil,
            let month = digits(2, from: &rest), character(["-"], from: &rest) != nil, let day = digits(2, from: &rest)
        else { return nil }
        if rest.isEmpty {
            self.init(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
            return
        }
        guard character(["T", "t", " "], from: &rest) != nil,
            let hour = digits(2, from: &rest), character([":"], from: &rest) != nil,
            let minute = digits(2, from: &rest), character([":"], from: &rest) != nil,
            let second = digits(2, from: &rest)
        else { return nil }
        if character(["."], from: &rest) != nil {
            let fraction = rest.prefix { $0.isASCII && $0.isNumber }
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(fraction.count)
        }
        var offset = 0
        guard let zone = character(["Z", "z", "+", "-"], from: &rest) else { return nil }
        if zone == "+" || zone == "-" {
            guard let hours = digits(2, from: &rest), character([":"], from: &rest) != nil,
                let minutes = digits(2, from: &rest), hours <= 23, minutes <= 59
            else { return nil }
            offset = (hours * 3_600 + minutes * 60) * (zone == "+" ? 1 : -1)
        }
        guard rest.isEmpty,
            let local = Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        self = local.advanced(bySeconds: Int64(-offset))
    }
}
