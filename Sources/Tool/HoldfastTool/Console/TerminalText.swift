import HoldfastBase

/// Escapes text from a server for a terminal: everything that could move the cursor, change colours or reverse the text
/// direction.
///
/// `Printable` is for names and reasons in security decisions: one line, at most 512 characters, everything invisible
/// escaped. This type is for messages between people.
enum TerminalText {
    /// Splits text at line breaks and escapes each line. Omits everything beyond `limit` characters; `omitted` is their
    /// number.
    static func lines(_ text: String, limit: Int) -> (lines: [String], omitted: Int) {
        var lines = [""]
        var count = 0
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            count += 1
            guard count <= limit else { continue }
            if scalar == "\r" || scalar == "\n" {
                if !(scalar == "\n" && isAfterReturn) { lines.append("") }
            } else if TerminalSafety.isSafe(scalar) {
                lines[lines.count - 1].unicodeScalars.append(scalar)
            } else {
                lines[lines.count - 1] += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
            isAfterReturn = scalar == "\r"
        }
        return (lines, max(0, count - limit))
    }
}

/// Converts bytes to and from hexadecimal digits.
enum HexText {
    /// Returns the digits of bytes, two per byte, separated by spaces.
    static func spaced(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { CollectionOfOne($0).hexadecimal }.joined(separator: " ")
    }

    /// Why a text cannot be read as bytes.
    enum Flaw: Error, Hashable {
        /// A character that is not a digit, and its position, counted from 1.
        case character(Character, Int)
        /// The number of digits is odd.
        case odd
    }

    /// Parses digits; ignores white space.
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
