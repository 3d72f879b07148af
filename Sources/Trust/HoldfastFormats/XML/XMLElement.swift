import HoldfastTrust

/// An XML element with its position.
struct XMLElement: Hashable, Sendable {
    /// An attribute with resolved references.
    struct Attribute: Hashable, Sendable {
        var name: String
        var value: String
        var position: SourcePosition
    }

    /// The content between the tags.
    enum Content: Hashable, Sendable {
        case element(XMLElement)
        case text(String)
    }

    var name: String
    var attributes: [Attribute] = []
    var content: [Content] = []
    var position: SourcePosition = .start

    /// The child elements.
    var elements: [XMLElement] {
        content.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The text between the tags, without child elements.
    var text: String {
        content.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
    }

    /// Whether the element contains text other than white space.
    var hasText: Bool { !XMLElement.trimmed(text).isEmpty }

    /// Returns the attribute with the given name.
    func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }

    /// Returns the text without leading and trailing XML white space.
    static func trimmed(_ text: String) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
