import HoldfastBase

/// Writes JSON for the page. An absent text or number is not written, and neither is a flag that is `false`.
struct PageWriter {
    private var printer = JSONPrinter(.line)
    /// The path from which the page loads the picture with a URL.
    private let imagePath: @Sendable (String) -> String?

    /// Creates a writer with an empty text.
    init(imagePath: @escaping @Sendable (String) -> String?) {
        self.imagePath = imagePath
    }

    /// The text written so far.
    var bytes: [UInt8] { printer.bytes }

    /// The largest integer that JavaScript represents exactly.
    static let largestExact: Int64 = 9_007_199_254_740_991

    // MARK: Values

    mutating func write(_ text: String?) {
        if let text { printer.write(string: text) } else { printer.write(literal: "null") }
    }

    mutating func write(_ value: Bool) { printer.write(literal: value ? "true" : "false") }

    mutating func write(_ value: Int64) { printer.write(literal: String(value)) }

    /// Writes a value that is JSON already.
    mutating func write(raw value: [UInt8]) { printer.write(literal: String(decoding: value, as: UTF8.self)) }

    mutating func object(_ body: (inout PageWriter) -> Void) {
        printer.open("{")
        body(&self)
        printer.close("}")
    }

    /// Writes an array of objects.
    mutating func array<Element>(_ elements: [Element], _ body: (inout PageWriter, Element) -> Void) {
        printer.open("[")
        for element in elements {
            printer.item()
            object { body(&$0, element) }
        }
        printer.close("]")
    }

    /// Writes an enumeration: an object with the name of its case.
    mutating func kind(_ name: String, _ body: (inout PageWriter) -> Void = { _ in }) {
        object { writer in
            writer.text("kind", name)
            body(&writer)
        }
    }

    // MARK: Members

    mutating func member(_ key: String, _ body: (inout PageWriter) -> Void) {
        printer.member(key)
        body(&self)
    }

    mutating func text(_ key: String, _ value: String?) {
        if let value { member(key) { $0.write(value) } }
    }

    mutating func number(_ key: String, _ value: Int64?) {
        if let value { member(key) { $0.write(value) } }
    }

    /// Writes a number that the page sends back. JavaScript would round a large number, so it is written as text.
    mutating func identifier(_ key: String, _ value: Int64?) {
        guard let value else { return }
        let isExact = (-Self.largestExact...Self.largestExact).contains(value)
        member(key) { if isExact { $0.write(value) } else { $0.write(String(value)) } }
    }

    /// Writes a flag if it is `true`.
    mutating func flag(_ key: String, _ value: Bool) {
        if value { member(key) { $0.write(value) } }
    }

    /// Writes a flag in both cases.
    mutating func bool(_ key: String, _ value: Bool) {
        member(key) { $0.write(value) }
    }

    mutating func object(_ key: String, _ body: (inout PageWriter) -> Void) {
        member(key) { $0.object(body) }
    }

    mutating func kind(_ key: String, _ name: String, _ body: (inout PageWriter) -> Void = { _ in }) {
        member(key) { $0.kind(name, body) }
    }

    /// Writes an array of objects; an empty one only if `always` is set.
    mutating func list<Element>(
        _ key: String, _ elements: [Element], always: Bool = false, _ body: (inout PageWriter, Element) -> Void
    ) {
        if always || !elements.isEmpty { member(key) { $0.array(elements, body) } }
    }

    /// Writes an array of texts; an empty one only if `always` is set.
    mutating func texts(_ key: String, _ values: [String], always: Bool = false) {
        guard always || !values.isEmpty else { return }
        printer.member(key)
        printer.open("[")
        for value in values {
            printer.item()
            printer.write(string: value)
        }
        printer.close("]")
    }

    /// Writes the path of a picture. The URL itself is not sent, because the page loads nothing from other hosts.
    mutating func picture(_ key: String, _ url: String?) {
        text(key, url.flatMap(imagePath))
    }

    // MARK: Appearance

    mutating func write(_ appearance: PageAppearance) {
        table("texts", appearance.texts)
        object("theme") { writer in
            writer.table("light", appearance.light)
            writer.table("dark", appearance.dark)
        }
        text("language", appearance.language)
        bool("rtl", appearance.isRightToLeft)
    }

    private mutating func table(_ key: String, _ table: [String: String]) {
        object(key) { writer in
            for (name, value) in PageAppearance.sorted(table) { writer.text(name, value) }
        }
    }
}
