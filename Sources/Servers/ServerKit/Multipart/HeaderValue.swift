/// A header value of the form `name; key=value; key="quoted value"` (RFC 9110, section 5.6.6).
package struct HeaderValue: Hashable, Sendable {
    /// The text before the first semicolon, in lower case.
    package let name: String
    /// The parameters in order, with keys in lower case.
    package let parameters: [Parameter]

    /// One `key=value`.
    package struct Parameter: Hashable, Sendable {
        /// The key, in lower case.
        package var key: String
        /// The value, without quotation marks.
        package var value: String
    }

    /// Parses a value. Skips invalid parameters, because callers check for those that they need.
    package init(_ text: String) {
        var pieces = Self.split(text)
        self.name = pieces.isEmpty ? "" : Self.trimmed(pieces.removeFirst()).lowercased()
        self.parameters = pieces.compactMap { piece in
            guard let equals = piece.firstIndex(of: "=") else { return nil }
            let key = Self.trimmed(piece[..<equals]).lowercased()
            return Parameter(key: key, value: Self.unquoted(Self.trimmed(piece[piece.index(after: equals)...])))
        }
    }

    /// Returns the value of the first parameter with this key, which must be in lower case.
    package subscript(key: String) -> String? {
        parameters.first { $0.key == key }?.value
    }

    /// Splits at semicolons outside quotation marks.
    private static func split(_ text: String) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ";", !isQuoted {
                pieces.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        pieces.append(text[start...])
        return pieces
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let head = text.drop(while: isSpace)
        guard let last = head.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(head[...last])
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        var result = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}
