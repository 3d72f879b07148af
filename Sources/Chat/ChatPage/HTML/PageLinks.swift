/// Finds links in texts of other people. The page's script has the same rules.
enum PageLinks {
    /// The longest link in bytes. A longer one stays text.
    static let longest = 2048

    /// A part of a text.
    enum Part: Hashable {
        case text(Substring)
        case link(Substring)
    }

    /// Splits a text into links and the text between them.
    static func parts(of text: Substring) -> [Part] {
        var parts: [Part] = []
        var plain = text.startIndex
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == "h" || text[index] == "H", isStart(text, index),
                let link = link(in: text[index...])
            else {
                index = text.index(after: index)
                continue
            }
            if plain < index { parts.append(.text(text[plain..<index])) }
            parts.append(.link(link))
            index = link.endIndex
            plain = index
        }
        if plain < text.endIndex { parts.append(.text(text[plain...])) }
        return parts
    }

    /// Returns whether this URL may be opened: `http` or `https` with a host and without credentials, which could
    /// conceal the host.
    static func isSafe(_ url: String) -> Bool {
        url.allSatisfy { isLinkCharacter($0) } && schemeLength(url[...]).map { isSafe(url[...], after: $0) } == true
    }

    private static func isSafe(_ link: Substring, after schemeLength: Int) -> Bool {
        let authority = link.dropFirst(schemeLength).prefix { !"/?#".contains($0) }
        return link.utf8.count <= longest && !authority.isEmpty && authority.first != ":"
            && !authority.contains { $0 == "@" || $0 == "\\" }
    }

    private static func schemeLength(_ text: Substring) -> Int? {
        let start = text.prefix(8).lowercased()
        return start == "https://" ? 8 : start.hasPrefix("http://") ? 7 : nil
    }

    /// A link must not begin inside of a word.
    private static func isStart(_ text: Substring, _ index: String.Index) -> Bool {
        guard index > text.startIndex else { return true }
        let before = text[text.index(before: index)]
        return !before.isLetter && !before.isNumber
    }

    /// Returns the link at the beginning of the text.
    private static func link(in text: Substring) -> Substring? {
        guard let schemeLength = schemeLength(text) else { return nil }
        // Without a limit, a text of many links without blanks would take time quadratic in its length.
        var link = text.prefix(2 * longest + 1).prefix { isLinkCharacter($0) }
        guard link.utf8.count <= 2 * longest else { return nil }
        while let last = link.last, ".,;:!?)]}'*_".contains(last) {
            // A closing bracket belongs to the link if the link contains its opening one.
            if last == ")", link.count(where: { $0 == "(" }) >= link.count(where: { $0 == ")" }) { break }
            link = link.dropLast()
        }
        return isSafe(link, after: schemeLength) ? link : nil
    }

    private static func isLinkCharacter(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first, !"<>\"`".contains(character) else { return false }
        if scalar.isASCII { return (0x21...0x7E).contains(scalar.value) && character.unicodeScalars.count == 1 }
        // Only letters, numbers, marks and symbols of other scripts. This excludes blanks and invisible characters.
        return character.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .privateUse,
                .unassigned:
                false
            default: true
            }
        }
    }
}
