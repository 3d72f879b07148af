import Foundation

/// Prepares texts of servers and operators for display. They are never interpreted as markup.
enum ChatPlainText {
    /// The number of characters of a message that are shown. A longer text slows down the layout of the whole screen.
    /// The rest is replaced by an ellipsis.
    static let longestBody = 20_000
    /// The number of characters of a name or another text in one line. The rest is replaced by an ellipsis.
    static let longestLine = 200

    /// Returns a message's text without control characters and without characters that reverse the order of the
    /// following text.
    static func body(_ text: String) -> String {
        cut(String(String.UnicodeScalarView(text.unicodeScalars.filter(isAllowed))), to: longestBody)
    }

    /// Returns a name or a file name as one line. Line breaks become spaces.
    static func line(_ text: String) -> String {
        let words = body(String(text.prefix(longestLine * 4))).split(whereSeparator: \.isWhitespace)
        return cut(words.joined(separator: " "), to: longestLine)
    }

    /// Returns the text, isolated so that its direction does not change the order of the sentence around it.
    static func isolated(_ text: String) -> String { "\u{2068}\(line(text))\u{2069}" }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x09: true
        case 0x00...0x1F, 0x7F...0x9F: false
        // Embeddings, overrides and isolates of the bidirectional algorithm. Marks such as U+200F stay.
        case 0x202A...0x202E, 0x2066...0x2069: false
        // Line and paragraph separators, deprecated format characters, and the invisible tag characters.
        case 0x2028, 0x2029, 0x206A...0x206F, 0xFFF9...0xFFFB, 0xE0001: false
        default: true
        }
    }

    private static func cut(_ text: String, to length: Int) -> String {
        guard let end = text.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex), end < text.endIndex
        else { return text }
        return text[..<end] + "…"
    }
}
