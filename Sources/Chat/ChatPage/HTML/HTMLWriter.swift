/// Writes HTML. Markup comes from literals in the source only, and every other text is escaped, so that no text of a
/// server, an operator or a visitor can become markup.
struct HTMLWriter {
    private(set) var bytes: [UInt8] = []

    /// Appends markup from the source.
    mutating func raw(_ markup: StaticString) {
        markup.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends bytes that another function has made safe.
    mutating func raw(safe markup: [UInt8]) { bytes.append(contentsOf: markup) }

    /// Appends a text for people: escaped, and without characters that control or reorder other text.
    mutating func text(_ text: String) { escape(SafeText.cleaned(text)) }

    /// Appends an element.
    ///
    /// - Parameters:
    ///   - tag: The name of the element.
    ///   - attributes: The attributes. An attribute without a value (`nil`) is left out.
    ///   - content: Writes the content.
    mutating func element(
        _ tag: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:],
        _ content: (inout HTMLWriter) -> Void = { _ in }
    ) {
        open(tag, attributes)
        content(&self)
        raw("</")
        raw(tag)
        raw(">")
    }

    /// Appends an element that contains only a text.
    mutating func element(
        _ tag: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:], text: String
    ) {
        element(tag, attributes) { $0.text(text) }
    }

    /// Appends a start tag.
    mutating func open(_ tag: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:]) {
        raw("<")
        raw(tag)
        for (name, value) in attributes {
            guard let value else { continue }
            raw(" ")
            raw(name)
            raw("=\"")
            escape(value)
            raw("\"")
        }
        raw(">")
    }

    private mutating func escape(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): raw("&amp;")
            case UInt8(ascii: "<"): raw("&lt;")
            case UInt8(ascii: ">"): raw("&gt;")
            case UInt8(ascii: "\""): raw("&quot;")
            case UInt8(ascii: "'"): raw("&#39;")
            case UInt8(ascii: "\r"): raw("&#13;")
            default: bytes.append(byte)
            }
        }
    }
}

extension HTMLWriter {
    /// Appends a hidden input.
    mutating func hidden(_ name: String, _ value: String, form: String? = nil) {
        open("input", ["type": "hidden", "form": form, "name": name, "value": value])
    }

    /// Appends a name or another short text that must not change the direction of the text around it.
    mutating func isolated(_ text: String, class name: String? = nil) {
        element("bdi", ["class": name], text: text)
    }
}
