import HoldfastBase

/// An instant in whole seconds since 1970-01-01T00:00:00Z.
///
/// Every trust decision takes its time as a parameter of this type and never reads a clock. The value is an integer, so
/// that no value can trap or lose a second.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01T00:00:00Z, negative for earlier instants.
    public var secondsSince1970: Int64

    /// Creates an instant from seconds since 1970-01-01T00:00:00Z.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Returns whether the first instant is earlier than the second.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.secondsSince1970 < rhs.secondsSince1970
    }

    /// Returns the instant `seconds` later. The result is clamped to the range of the type.
    public func advanced(bySeconds seconds: Int64) -> Timestamp {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        return Timestamp(secondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
    }

    /// Creates an instant from a date and time in UTC (proleptic Gregorian calendar). Returns `nil` if the date does
    /// not exist. A leap second becomes the second before it.
    public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard let date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day)),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        self.init(
            secondsSince1970: date.daysSince1970 * 86_400 + Int64(hour * 3_600 + minute * 60 + min(second, 59)))
    }

    /// The instant in ISO 8601 format and UTC, such as `2026-03-01T12:00:00Z`. Instants outside of the years 0 to 9999
    /// are written in seconds.
    public var description: String {
        guard (-62_167_219_200...253_402_300_799).contains(secondsSince1970) else { return "@\(secondsSince1970)" }
        let (days, second) = secondsSince1970.flooredQuotientAndRemainder(dividingBy: 86_400)
        let date = CivilDate(daysSince1970: days)
        let day = [date.year.padded(to: 4), date.month.padded(to: 2), date.day.padded(to: 2)].joined(separator: "-")
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        return "\(day)T\(clock)Z"
    }

    /// Reads an instant in ISO 8601 format, such as `2026-03-01T12:00:00Z`. Returns `nil` for anything else.
    ///
    /// Also reads a fraction of a second (which is dropped), an offset such as `+02:00`, or a date without time (00:00
    /// UTC).
    public init?(iso8601 text: String) {
        var rest = Substring(text)
        func digits(_ count: Int) -> Int? {
            let head = rest.prefix(count)
            guard head.utf8.count == count, head.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest.dropFirst(count)
            return Int(head)
        }
        func character(_ wanted: Set<Character>) -> Character? {
            guard let first = rest.first, wanted.contains(first) else { return nil }
            rest = rest.dropFirst()
            return first
        }
        guard let year = digits(4), character(["-"]) != nil, let month = digits(2), character(["-"]) != nil,
            let day = digits(2)
        else { return nil }
        if rest.isEmpty {
            self.init(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
            return
        }
        guard character(["T", "t", " "]) != nil, let hour = digits(2), character([":"]) != nil, let minute = digits(2),
            character([":"]) != nil, let second = digits(2)
        else { return nil }
        if character(["."]) != nil {
            let fraction = rest.prefix { $0.isASCII && $0.isNumber }
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(fraction.count)
        }
        var offset = 0
        guard let zone = character(["Z", "z", "+", "-"]) else { return nil }
        if zone == "+" || zone == "-" {
            guard let hours = digits(2), character([":"]) != nil, let minutes = digits(2), hours <= 23, minutes <= 59
            else { return nil }
            offset = (hours * 3_600 + minutes * 60) * (zone == "+" ? 1 : -1)
        }
        guard rest.isEmpty,
            let local = Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        self = local.advanced(bySeconds: Int64(-offset))
    }
}
