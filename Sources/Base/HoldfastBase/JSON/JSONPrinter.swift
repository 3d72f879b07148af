/// Writes JSON piece by piece for a caller that walks through its own tree.
package struct JSONPrinter {
    /// The layout of the text.
    package enum Style: Sendable {
        /// No white space. Escapes only the characters that JSON requires, in the shortest form.
        case compact
        /// No white space. Also escapes U+007F.
        case line
        /// One line for each value, indented by two spaces for each level. Also escapes U+007F.
        case indented
    }

    /// The text written so far.
    package private(set) var bytes: [UInt8] = []
    private let style: Style
    private var level = 0
    /// Whether the innermost array or object has no element or member yet.
    private var isEmpty = false

    /// Creates a printer with an empty text.
    package init(_ style: Style) {
        self.style = style
    }

    /// Writes `null`, `true`, `false` or a number.
    package mutating func write(literal text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes a string.
    package mutating func write(string text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0x08 where style == .compact: bytes.append(contentsOf: "\\b".utf8)
            case 0x0C where style == .compact: bytes.append(contentsOf: "\\f".utf8)
            case 0x00..<0x20: escape(byte)
            case 0x7F where style != .compact: escape(byte)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Starts a member and writes its key.
    package mutating func member(_ key: String) {
        item()
        write(string: key)
        bytes.append(contentsOf: (style == .indented ? ": " : ":").utf8)
    }

    /// Starts an array or an object with its opening bracket.
    package mutating func open(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        level += 1
        isEmpty = true
    }

    /// Starts an element of an array.
    package mutating func item() {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        breakLine()
    }

    /// Ends an array or an object with its closing bracket.
    package mutating func close(_ bracket: Unicode.Scalar) {
        level -= 1
        if !isEmpty { breakLine() }
        isEmpty = false
        bytes.append(UInt8(ascii: bracket))
    }

    private mutating func breakLine() {
        guard style == .indented else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(contentsOf: "\\u00".utf8)
        CollectionOfOne(byte).appendHexadecimal(to: &bytes)
    }
}
