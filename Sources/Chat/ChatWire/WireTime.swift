import HoldfastBase

/// Reads and writes times. On the wire they are ISO 8601 text with milliseconds and `Z`; in memory they are
/// milliseconds since 1970. No calendar library and no clock is used.
package enum WireTime {
    /// The latest time with a four-digit year, 9999-12-31T23:59:59.999Z.
    package static let latest: Int64 = 253_402_300_799_999
    /// The earliest time, 0000-01-01T00:00:00.000Z.
    package static let earliest: Int64 = -62_167_219_200_000

    /// Returns a time as `yyyy-MM-ddTHH:mm:ss.SSSZ`. Times outside the years 0 to 9999 are clamped.
    package static func text(_ milliseconds: Int64) -> String {
        let moment = min(max(milliseconds, earliest), latest)
        let (days, inDay) = moment.flooredQuotientAndRemainder(dividingBy: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        let seconds = inDay / 1000
        let day = "\(date.year.padded(to: 4))-\(date.month.padded(to: 2))-\(date.day.padded(to: 2))"
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        return "\(day)T\(clock).\((inDay % 1000).padded(to: 3))Z"
    }

    /// Reads ISO 8601 text with `Z` or an offset, with or without a fraction. Digits after the third one are ignored.
    /// Returns `nil` for any other text, for example a date that does not exist.
    package static func milliseconds(_ text: String) -> Int64? {
        var scanner = Scanner(Array(text.utf8))
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let day = scanner.digits(2), scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
            let hour = scanner.digits(2), scanner.skip(":"), let minute = scanner.digits(2), scanner.skip(":"),
            let second = scanner.digits(2)
        else { return nil }
        var fraction: Int64 = 0
        if scanner.skip(".") || scanner.skip(",") {
            guard let milliseconds = scanner.fraction() else { return nil }
            fraction = milliseconds
        }
        guard let offset = scanner.offset(), scanner.atEnd else { return nil }
        guard let date = CivilDate(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        // 23:59:60 is a leap second. It counts as the following second, as in POSIX time.
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
        return (seconds - offset * 60) * 1000 + fraction
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var atEnd: Bool { position == bytes.count }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        private mutating func digit() -> Int64? {
            guard position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) else {
                return nil
            }
            position += 1
            return Int64(bytes[position - 1] - UInt8(ascii: "0"))
        }

        mutating func digits(_ count: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        mutating func fraction() -> Int64? {
            guard let first = digit() else { return nil }
            let second = digit()
            let third = second == nil ? nil : digit()
            while third != nil, digit() != nil {}
            return first * 100 + (second ?? 0) * 10 + (third ?? 0)
        }

        /// Reads the offset from UTC in minutes, positive to the east.
        mutating func offset() -> Int64? {
            if skip("Z") || skip("z") { return 0 }
            let sign: Int64
            if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
            guard let hours = digits(2) else { return nil }
            _ = skip(":")
            guard let minutes = digits(2), hours < 24, minutes < 60 else { return nil }
            return sign * (hours * 60 + minutes)
        }
    }
}
