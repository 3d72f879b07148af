public import Foundation
import HoldfastTrust

/// How dates in JSON are written.
public enum DateEncodingStrategies {
    /// ISO 8601 in UTC with milliseconds: `2026-03-01T12:00:00.250Z`. A date that is no number, or outside of the years 0 to
    /// 9999, is `EncodingError.invalidValue`.
    public static let iso8601FractionalSeconds = JSONEncoder.DateEncodingStrategy.custom { date, encoder in
        guard let text = text(date) else {
            // The number and not the date: to describe a date that is no number is a trap in Foundation.
            throw EncodingError.invalidValue(
                date.timeIntervalSince1970,
                EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "The date cannot be written as ISO 8601."))
        }
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    private static func text(_ date: Date) -> String? {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        guard (-62_167_219_200_000.0...253_402_300_799_999.0).contains(milliseconds) else { return nil }
        let (seconds, rest) = (milliseconds / 1_000).rounded(.down).splitting(milliseconds)
        let second = Timestamp(secondsSince1970: seconds).description.dropLast()
        let fraction = String(rest)
        return "\(second)." + String(repeating: "0", count: 3 - fraction.count) + fraction + "Z"
    }
}

extension Double {
    /// These seconds as an integer, and how many of the milliseconds are left. For numbers that were checked.
    fileprivate func splitting(_ milliseconds: Double) -> (seconds: Int64, rest: Int) {
        (Int64(self), Int(milliseconds - self * 1_000))
    }
}
