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
