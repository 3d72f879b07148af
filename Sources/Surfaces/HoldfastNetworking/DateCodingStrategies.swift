public import Foundation
import HoldfastBase
import HoldfastTrust

/// Strategies for decoding dates in JSON.
public enum DateDecodingStrategies {
    /// Decodes ISO 8601 dates in the form of RFC 3339, with or without fractional seconds: `2026-03-01T12:00:00Z`,
    /// `2026-03-01T12:00:00.25+02:00`. Fractions are read to the nanosecond. Other text causes
    /// `DecodingError.dataCorrupted`.
    public static let iso8601FractionalAndNonFractionalSeconds = JSONDecoder.DateDecodingStrategy.custom { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = date(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Not an ISO 8601 date: \(Printable.text(String(text.prefix(64))))")
        }
        return date
    }

    private static func date(_ text: String) -> Date? {
        // The time is required here; `Timestamp` also accepts a date without a time.
        guard text.utf8.count > 10, text.utf8.count <= 64, let second = Timestamp(iso8601: text) else { return nil }
        let whole = Date(timeIntervalSince1970: Double(second.secondsSince1970))
        guard let point = text.firstIndex(of: ".") else { return whole }
        let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }.prefix(9)
        guard let fraction = Double("0." + digits) else { return nil }
        return whole.addingTimeInterval(fraction)
    }
}

/// Strategies for encoding dates in JSON.
public enum DateEncodingStrategies {
    /// Encodes dates as ISO 8601 in UTC with milliseconds: `2026-03-01T12:00:00.250Z`. A date that is not a finite
    /// number or is outside the years 0 to 9999 causes `EncodingError.invalidValue`.
    public static let iso8601FractionalSeconds = JSONEncoder.DateEncodingStrategy.custom { date, encoder in
        guard let text = text(date) else {
            // Reports the number instead of the date, because Foundation traps when it describes a date that is not a
            // number.
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
        let seconds = (milliseconds / 1_000).rounded(.down)
        let second = Timestamp(secondsSince1970: Int64(seconds)).description.dropLast()
        let fraction = String(Int(milliseconds - seconds * 1_000))
        return "\(second)." + String(repeating: "0", count: 3 - fraction.count) + fraction + "Z"
    }
}
