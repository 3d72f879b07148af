public import Foundation
import HoldfastTrust

/// How dates in JSON are read.
public enum DateDecodingStrategies {
    /// ISO 8601 in the form of RFC 3339, with a fraction of a second or without: `2026-03-01T12:00:00Z`,
    /// `2026-03-01T12:00:00.25+02:00`. Fractions are read to the nanosecond. Anything else is
    /// `DecodingError.dataCorrupted`.
    public static let iso8601FractionalAndNonFractionalSeconds = JSONDecoder.DateDecodingStrategy.custom { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = date(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "No date of ISO 8601: \(Printable.text(String(text.prefix(64))))")
        }
        return date
    }

    private static func date(_ text: String) -> Date? {
        // The time has to be there; `Timestamp` takes a date alone, too.
        guard text.utf8.count > 10, text.utf8.count <= 64, let second = Timestamp(iso8601: text) else { return nil }
        let whole = Date(timeIntervalSince1970: Double(second.secondsSince1970))
        guard let point = text.firstIndex(of: ".") else { return whole }
        let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }.prefix(9)
        guard let fraction = Double("0." + digits) else { return nil }
        return whole.addingTimeInterval(fraction)
    }
}
