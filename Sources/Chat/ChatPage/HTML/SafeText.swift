/// Makes text from other people harmless to show.
enum SafeText {
    /// The number of characters that are shown at once. The rest of a longer text is folded.
    static let longest = 16_000

    /// Replaces characters that control or reorder text with visible ones, and all line separators with line feeds.
    /// The page's script does the same.
    static func cleaned(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            if scalar == "\n", previous == "\r" {
                // A carriage return with a line feed is one line break.
            } else {
                result.append(replacement(scalar))
            }
            previous = scalar
        }
        return String(result)
    }

    private static func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x09, 0x0A: scalar
        case 0x0D, 0x85, 0x2028, 0x2029: "\n"
        // Unicode has a visible symbol for each control character of ASCII.
        case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        // Control characters; embedding, override and isolation of directions; annotations.
        case 0x80...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: "\u{FFFD}"
        default: scalar
        }
    }

    /// Splits a text after ``longest`` characters. The second part is `nil` if the text is not longer.
    static func folded(_ text: String) -> (shown: Substring, rest: Substring?) {
        guard text.utf8.count > longest else { return (text[...], nil) }
        // UTF-16 code units, as the page's script counts.
        let units = text.utf16
        guard let end = units.index(units.startIndex, offsetBy: longest, limitedBy: units.endIndex),
            end < units.endIndex
        else { return (text[...], nil) }
        // Moves back to the start of a scalar.
        let cut = end.samePosition(in: text.unicodeScalars) ?? units.index(before: end)
        return (text[..<cut], text[cut...])
    }
}

extension String {
    /// The text with everything escaped that has a meaning in the path of a URL.
    var pathSegment: String {
        var result = ""
        for byte in utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }
}
