import HoldfastTrust

/// An XML element that knows where it stands.
struct XMLElement: Hashable, Sendable {
    /// An attribute, its references resolved.
    struct Attribute: Hashable, Sendable {
        var name: String
        var value: String
        var position: SourcePosition
    }

    /// What stands between the tags.
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

    /// The text between the tags, child elements left out.
    var text: String {
        content.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
    }

    /// Whether there is text other than white space.
    var hasText: Bool { !XMLElement.trimmed(text).isEmpty }

    /// The attribute with this name.
    func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }

    /// Text without the white space of XML around it.
    static func trimmed(_ text: String) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
