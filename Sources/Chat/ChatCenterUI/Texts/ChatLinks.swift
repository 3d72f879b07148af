import Foundation

/// Finds links in the plain text of a message. Only `https` and `http` links with a host are links.
enum ChatLinks {
    /// A part of a text.
    struct Part: Hashable, Sendable {
        var text: String
        /// The address that the part links to; `nil` for other text.
        var url: URL?
    }

    /// The number of links in a message that can be followed. Further ones are shown as text.
    static let most = 100

    /// Splits a text into links and other text. The parts together are the text.
    static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var plain = text.startIndex
        var place = text.startIndex
        var count = 0
        while place < text.endIndex, count < most {
            guard let start = text[place...].firstIndex(where: { !$0.isWhitespace }) else { break }
            let end = text[start...].firstIndex(where: \.isWhitespace) ?? text.endIndex
            place = end
            guard let (range, url) = link(in: text, start..<end) else { continue }
            if plain < range.lowerBound { parts.append(Part(text: String(text[plain..<range.lowerBound]))) }
            parts.append(Part(text: String(text[range]), url: url))
            plain = range.upperBound
            count += 1
        }
        if plain < text.endIndex { parts.append(Part(text: String(text[plain...]))) }
        return parts
    }

    /// Returns the address of a link that the server sent for a button or a preview.
    static func url(_ address: String) -> URL? {
        let lower = address.prefix(8).lowercased()
        guard lower.hasPrefix("https://") || lower.hasPrefix("http://"), let url = URL(string: address),
            let host = url.host(), !host.isEmpty
        else { return nil }
        return url
    }

    /// Returns the text with its links as attributes.
    static func attributed(_ text: String) -> AttributedString {
        var result = AttributedString()
        for part in parts(of: text) {
            var piece = AttributedString(part.text)
            piece.link = part.url
            result += piece
        }
        return result
    }

    /// Returns the link in a word without the brackets and quotation marks around it and the punctuation after it.
    private static func link(in text: String, _ word: Range<String.Index>) -> (Range<String.Index>, URL)? {
        let begin = text[word].firstIndex { !"([{<\"'«“".contains($0) } ?? word.upperBound
        var end = word.upperBound
        while end > begin {
            let last = text.index(before: end)
            guard ".,;:!?)]}>\"'»”".contains(text[last]) else { break }
            end = last
        }
        return url(String(text[begin..<end])).map { (begin..<end, $0) }
    }
}
