/// Finds the tags of an HTML text, in one pass.
struct TagScanner {
    /// A start or end tag.
    struct Tag: Sendable {
        /// The name in lower case; an end tag's begins with a slash.
        var name: String
        /// The attributes in order, with names in lower case. The values are as in the text, with entities.
        var attributes: [(name: String, value: String)]

        /// Returns the value of the first attribute with a name.
        subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
    }

    /// The maximum number of attributes of a tag that are read. Further ones are ignored.
    private static let attributeLimit = 32
    /// The maximum length of a name in bytes. The rest of a longer name is ignored.
    private static let nameLimit = 64

    private let bytes: [UInt8]
    private var position = 0

    /// Creates a scanner at the beginning of a text.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Ends the scan.
    mutating func stop() {
        position = bytes.count
    }

    /// Returns the next tag; `nil` at the end. Comments and declarations are skipped.
    mutating func next() -> Tag? {
        while let start = index(of: UInt8(ascii: "<"), from: position) {
            position = start + 1
            guard let first = current else { return nil }
            if first == UInt8(ascii: "!") {
                skipDeclaration()
            } else if first == UInt8(ascii: "/") || Self.isLetter(first) {
                return tag()
            }
        }
        position = bytes.count
        return nil
    }

    /// Returns the text up to an end tag, and moves behind its name.
    mutating func content(until name: String) -> String {
        let start = position
        skip(to: name)
        return String(decoding: bytes[start..<contentEnd], as: UTF8.self)
    }

    /// The end of the text that the last ``skip(to:)`` skipped.
    private var contentEnd = 0

    /// Moves to the end tag with a name, or to the end.
    mutating func skip(to name: String) {
        let pattern = Array("</\(name)".utf8)
        var candidate = position
        while let start = index(of: UInt8(ascii: "<"), from: candidate) {
            candidate = start + 1
            guard start + pattern.count <= bytes.count else { break }
            let found = bytes[start..<start + pattern.count].map(Self.lowercased)
            guard found == pattern else { continue }
            contentEnd = start
            position = start + pattern.count
            return
        }
        contentEnd = bytes.count
        position = bytes.count
    }

    // MARK: Parts

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func index(of byte: UInt8, from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        return bytes[start...].firstIndex(of: byte)
    }

    private mutating func skipDeclaration() {
        guard bytes[position...].starts(with: "!--".utf8) else {
            position = index(of: UInt8(ascii: ">"), from: position).map { $0 + 1 } ?? bytes.count
            return
        }
        var candidate = position + 3
        while let dash = index(of: UInt8(ascii: "-"), from: candidate) {
            if bytes[dash...].starts(with: "-->".utf8) {
                position = dash + 3
                return
            }
            candidate = dash + 1
        }
        position = bytes.count
    }

    private mutating func tag() -> Tag {
        var name = ""
        if current == UInt8(ascii: "/") {
            name = "/"
            position += 1
        }
        name += word { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        var tag = Tag(name: name, attributes: [])
        while let byte = current {
            if byte == UInt8(ascii: ">") {
                position += 1
                break
            }
            if Self.isSpace(byte) || byte == UInt8(ascii: "/") {
                position += 1
                continue
            }
            let attribute = attribute()
            if tag.attributes.count < Self.attributeLimit { tag.attributes.append(attribute) }
        }
        return tag
    }

    private mutating func attribute() -> (name: String, value: String) {
        // The first byte belongs to the name, whatever it is, so that each attribute makes progress.
        let first = current.map { String(decoding: [Self.lowercased($0)], as: UTF8.self) } ?? ""
        position += 1
        let name =
            first
            + word {
                !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
            }
        skipSpaces()
        guard current == UInt8(ascii: "=") else { return (name, "") }
        position += 1
        skipSpaces()
        return (name, value())
    }

    private mutating func value() -> String {
        guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = position
            while let byte = current, !Self.isSpace(byte), byte != UInt8(ascii: ">") { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        let start = position + 1
        let end = index(of: quote, from: start) ?? bytes.count
        position = min(end + 1, bytes.count)
        return String(decoding: bytes[min(start, end)..<end], as: UTF8.self)
    }

    private mutating func skipSpaces() {
        while let byte = current, Self.isSpace(byte) { position += 1 }
    }

    /// Reads a word in lower case. Bytes beyond the limit are skipped.
    private mutating func word(while belongs: (UInt8) -> Bool) -> String {
        var word: [UInt8] = []
        while let byte = current, belongs(byte) {
            if word.count < Self.nameLimit { word.append(Self.lowercased(byte)) }
            position += 1
        }
        return String(decoding: word, as: UTF8.self)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

/// The character references of HTML, as far as titles and descriptions use them.
enum HTMLEntities {
    private static let names: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "hellip": "…", "mdash": "—",
        "ndash": "–", "laquo": "«", "raquo": "»", "ldquo": "“", "rdquo": "”", "lsquo": "‘", "rsquo": "’", "bull": "•",
        "middot": "·", "copy": "©", "reg": "®", "trade": "™", "euro": "€",
    ]
    /// The longest reference, without its ampersand. A longer one stays text.
    private static let limit = 10

    /// Decodes the references of a text once. Unknown ones stay as they are.
    static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
        while let ampersand = rest.firstIndex(of: "&") {
            result += rest[..<ampersand]
            rest = rest[rest.index(after: ampersand)...]
            let candidate = rest.prefix(limit)
            if let end = candidate.firstIndex(of: ";"), let character = character(candidate[..<end]) {
                result += character
                rest = rest[rest.index(after: end)...]
            } else {
                result += "&"
            }
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> String? {
        guard name.first == "#" else { return names[String(name)] }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let value, value > 0, let scalar = Unicode.Scalar(value) else { return nil }
        return String(scalar)
    }
}
