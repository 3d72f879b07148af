/// Decides which characters of foreign text may be written to a terminal or a log.
package enum TerminalSafety {
    /// Returns whether a terminal only displays the character.
    ///
    /// Joiners and direction marks are part of emoji, Persian and Hebrew text and are kept. Direction overrides and
    /// embeddings (UAX #9) reorder the rest of the line and are escaped, as are controls and line separators.
    package static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: true
        case 0..<0x20, 0x7F..<0xA0: false
        case 0x2028, 0x2029: false
        case 0x202A...0x202E, 0x2066...0x206F: false
        // Flag emoji use the tag characters after these, which are obsolete.
        case 0xE0000...0xE001F: false
        default: true
        }
    }

    /// Escapes all terminal control characters in JSON text without changing its meaning. Line breaks between values
    /// are kept. Outside of strings, JSON consists of ASCII only, so that every other character may be written as an
    /// escape (RFC 8259, section 7).
    package static func json(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { !isSafe($0) && $0 != "\n" }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            guard !isSafe(scalar), scalar != "\n" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                result += "\\u" + unit.padded(to: 4, radix: 16)
            }
        }
        return result
    }
}
