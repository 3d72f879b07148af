/// Measures the columns that text occupies on a terminal.
enum TerminalWidth {
    /// Returns the columns of a text on one line. Colors have no width.
    static func columns(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        guard text.utf8.contains(0x1B) else { return text.reduce(0) { $0 + columns($1) } }
        return String(text).replacing(#/\u{1B}\[[0-9;]*m/#, with: "").reduce(0) { $0 + columns($1) }
    }

    /// Returns the columns of a character: two for East Asian wide characters and emoji (UAX #11), zero for a
    /// standalone mark.
    static func columns(_ character: Character) -> Int {
        var widest = 0
        for scalar in character.unicodeScalars {
            if scalar == "\u{FE0F}" || isWide(scalar) { return 2 }
            if !isZeroWidth(scalar) { widest = 1 }
        }
        return widest
    }

    /// Returns the text, or its beginning and an ellipsis if it is wider than `limit` columns. The text must not have
    /// colors: their end could be cut off.
    static func clipped(_ text: String, to limit: Int) -> String {
        guard columns(text) > limit else { return text }
        return prefix(of: text[...], columns: max(0, limit - 1)) + "…"
    }

    /// Wraps the text to lines of at most `limit` columns. Breaks after spaces, and inside a word that is wider than a
    /// line. The text must not have colors.
    static func wrapped(_ text: String, to limit: Int) -> [String] {
        let limit = max(1, limit)
        var lines: [String] = []
        var rest = text[...]
        while columns(rest) > limit {
            let line = prefix(of: rest, columns: limit)
            // At least one character per line, however narrow.
            var end =
                line.isEmpty ? rest.index(after: rest.startIndex) : rest.index(rest.startIndex, offsetBy: line.count)
            let isBehindSpace = rest[end...].first == " "
            if !isBehindSpace, let space = rest[..<end].lastIndex(of: " "), space > rest.startIndex {
                end = rest.index(after: space)
            }
            lines.append(trimmed(rest[..<end]))
            rest = rest[end...].drop { $0 == " " }
        }
        if !rest.isEmpty || lines.isEmpty { lines.append(String(rest)) }
        return lines
    }

    /// Pads the text with spaces to `width` columns.
    static func padded(_ text: String, to width: Int, onTheLeft: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, width - columns(text)))
        return onTheLeft ? padding + text : text + padding
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private static func prefix(of text: Substring, columns limit: Int) -> String {
        var width = 0
        var result = ""
        for character in text {
            width += columns(character)
            guard width <= limit else { break }
            result.append(character)
        }
        return result
    }

    private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isEmojiPresentation { return true }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF,
            0x20000...0x3FFFD:
            return true
        default: return false
        }
    }
}
