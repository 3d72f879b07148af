import HoldfastTrust

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
