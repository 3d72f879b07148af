import HoldfastBase
import HoldfastTrust

/// Text from a server for a terminal: what could move its cursor, change its colours or turn a line around is escaped.
///
/// `Printable` is for names and reasons in security decisions, on one line and cut at 512 characters, and escapes everything that is
/// invisible. This is for what people write to each other.
enum TerminalText {
    /// Splits text at its line breaks and escapes each line. What is beyond `limit` characters is left out; returns how many.
    static func lines(_ text: String, limit: Int) -> (lines: [String], omitted: Int) {
        var lines = [""]
        var count = 0
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            count += 1
            guard count <= limit else { continue }
            if scalar == "\r" || scalar == "\n" {
                if !(scalar == "\n" && isAfterReturn) { lines.append("") }
            } else if isSafe(scalar) {
                lines[lines.count - 1].unicodeScalars.append(scalar)
            } else {
                lines[lines.count - 1] += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
            isAfterReturn = scalar == "\r"
        }
        return (lines, max(0, count - limit))
    }

    /// JSON that says the same and holds nothing that a terminal could obey. Outside of strings JSON has ASCII alone, so that
    /// every other character may be written as an escape (RFC 8259, 7).
    static func json(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { !isSafe($0) }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            guard !isSafe(scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result
    }

    /// Whether a terminal shows the character and does nothing else with it.
    ///
    /// Joiners and marks of direction are part of how emoji, Persian and Hebrew are written. What overrides or embeds a direction
    /// (UAX #9) turns around the rest of the line and is escaped, as are controls and separators of lines.
    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: true
        case 0..<0x20, 0x7F..<0xA0: false
        case 0x2028, 0x2029: false
        case 0x202A...0x202E, 0x2066...0x206F: false
        // A flag is written with the tags behind these, which are obsolete.
        case 0xE0000...0xE001F: false
        default: true
        }
    }
}

/// Bytes as hexadecimal digits.
enum HexText {
    /// The digits of bytes, two a byte, with a space between them.
    static func spaced(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { CollectionOfOne($0).hexadecimal }.joined(separator: " ")
    }

    /// Why a text is no bytes.
    enum Flaw: Error, Hashable {
        /// A character that is no digit, and its place, counted from 1.
        case character(Character, Int)
        /// Half a byte at the end.
        case odd
    }

    /// Reads digits, with white space anywhere.
    static func bytes(_ text: some StringProtocol) throws(Flaw) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        for (index, character) in text.enumerated() where !character.isWhitespace {
            guard let digit = character.isASCII ? character.hexDigitValue.flatMap(UInt8.init(exactly:)) : nil else {
                throw .character(character, index + 1)
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { throw .odd }
        return bytes
    }
}
