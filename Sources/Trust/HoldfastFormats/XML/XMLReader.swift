import HoldfastBase
import HoldfastTrust

/// Reads a strict subset of XML 1.0: UTF-8, one root element, the five predefined entities and numeric references,
/// comments, CDATA and processing instructions. DTDs are refused, so entities cannot expand or refer to files.
///
/// Foundation's parser is not used because it accepts `<a><b/>` as well-formed. A truncated policy must not be read as
/// a complete one.
struct XMLReader {
    /// The maximum size of the text in bytes.
    ///
    /// - Error: `PolicyDiagnostic.Code.tooLarge`
    static let maximumSize = 16 << 20
    /// The maximum nesting depth of elements.
    ///
    /// - Error: `PolicyDiagnostic.Code.tooDeep`
    static let maximumDepth = 64
    /// The maximum number of attributes of an element.
    ///
    /// - Error: `PolicyDiagnostic.Code.tooLarge`
    static let maximumAttributes = 64
    /// The maximum number of elements.
    ///
    /// - Error: `PolicyDiagnostic.Code.tooLarge`
    static let maximumElements = 500_000

    let bytes: [UInt8]
    var offset = 0
    var line = 1
    var lineStart = 0
    private var depth = 0
    private var count = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a document with one root element.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - doctype: The document type that may be declared, without an internal subset. Property lists declare Apple's
    ///     document type, which is never fetched.
    static func read(_ bytes: [UInt8], doctype: String? = nil) throws(SyntaxFault) -> XMLElement {
        var reader = XMLReader(bytes)
        guard bytes.count <= maximumSize else {
            throw reader.fault(.tooLarge, "the text has more than \(maximumSize) bytes")
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw reader.fault(.notUTF8, "the text is UTF-16, expected UTF-8")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            reader.offset = 3
            reader.lineStart = 3
        }
        if reader.looking(at: "<?xml"), reader.isSpace(reader.byte(at: reader.offset + 5)) {
            try reader.declaration()
        }
        try reader.skipAround(doctype: doctype)
        guard reader.next == UInt8(ascii: "<") else {
            throw reader.fault(
                .malformedXML, reader.next == nil ? "the text has no element" : "expected an element")
        }
        let root = try reader.element()
        try reader.skipAround(doctype: nil)
        guard reader.next == nil else {
            throw reader.fault(.malformedXML, "the text continues after the root element")
        }
        return root
    }

    // MARK: - Bytes

    var position: SourcePosition { SourcePosition(line: line, column: offset - lineStart + 1) }
    var next: UInt8? { byte(at: offset) }

    func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    func fault(_ code: PolicyDiagnostic.Code, _ reason: String) -> SyntaxFault {
        SyntaxFault(code: code, reason: reason, position: position)
    }

    func looking(at text: StaticString) -> Bool {
        offset <= bytes.count
            && text.withUTF8Buffer { bytes[offset...].starts(with: $0) }
    }

    func isSpace(_ byte: UInt8?) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where offset < bytes.count {
            if bytes[offset] == 0x0A {
                line += 1
                lineStart = offset + 1
            }
            offset += 1
        }
    }

    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = offset
        while isSpace(next) { advance() }
        return offset > start
    }

    /// Reads up to and past `end`. Returns the bytes before it.
    mutating func read(until end: StaticString, in what: String) throws(SyntaxFault) -> [UInt8] {
        var result: [UInt8] = []
        while !looking(at: end) {
            guard let byte = next else { throw fault(.malformedXML, "the text ends inside \(what)") }
            try checkCharacter(byte)
            result.append(byte)
            advance()
        }
        advance(end.utf8CodeUnitCount)
        return result
    }

    func checkCharacter(_ byte: UInt8) throws(SyntaxFault) {
        if byte < 0x20, !isSpace(byte) { throw fault(.malformedXML, "a control character is not allowed in XML") }
    }

    // MARK: - Around the root

    private mutating func declaration() throws(SyntaxFault) {
        advance(5)
        var names: [String] = []
        while !looking(at: "?>") {
            let spaced = skipSpace()
            if looking(at: "?>") { break }
            guard spaced, next != nil else { throw fault(.malformedXML, "the XML declaration is malformed") }
            let attribute = try attribute()
            names.append(attribute.name)
            let value = attribute.value.lowercased()
            switch attribute.name {
            case "version" where names == ["version"] && value.hasPrefix("1."): break
            case "encoding" where names == ["version", "encoding"]:
                guard ["utf-8", "us-ascii", "ascii"].contains(value) else {
                    throw fault(.notUTF8, "the encoding is \(Printable.text(attribute.value)), expected UTF-8")
                }
            case "standalone" where value == "yes" || value == "no": break
            default: throw fault(.malformedXML, "the XML declaration is malformed")
            }
        }
        guard names.first == "version" else {
            throw fault(.malformedXML, "the XML declaration does not have a version")
        }
        advance(2)
    }

    private mutating func skipAround(doctype: String?) throws(SyntaxFault) {
        var doctype = doctype
        while true {
            skipSpace()
            if looking(at: "<!--") {
                try comment()
            } else if looking(at: "<?") {
                try instruction()
            } else if looking(at: "<!DOCTYPE") {
                guard let name = doctype else {
                    throw fault(.documentType, "a document type declaration is not allowed here")
                }
                try documentType(name)
                doctype = nil
            } else {
                return
            }
        }
    }

    private mutating func documentType(_ name: String) throws(SyntaxFault) {
        let start = self
        advance(9)
        skipSpace()
        guard try self.name() == name else {
            throw start.fault(.documentType, "only the document type \(name) may be declared")
        }
        while let byte = next, byte != UInt8(ascii: ">") {
            switch byte {
            case UInt8(ascii: "["): throw fault(.documentType, "a document type must not contain declarations")
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                advance()
                while let inner = next, inner != byte {
                    try checkCharacter(inner)
                    advance()
                }
                advance()
            case UInt8(ascii: "<"): throw fault(.documentType, "the document type declaration is malformed")
            default: advance()
            }
        }
        guard next == UInt8(ascii: ">") else { throw fault(.malformedXML, "the text ends inside a document type") }
        advance()
    }

    mutating func comment() throws(SyntaxFault) {
        advance(4)
        _ = try read(until: "--", in: "a comment")
        guard next == UInt8(ascii: ">") else { throw fault(.malformedXML, "\"--\" is not allowed in a comment") }
        advance()
    }

    mutating func instruction() throws(SyntaxFault) {
        let start = self
        advance(2)
        if try name().lowercased() == "xml" {
            throw start.fault(.malformedXML, "an XML declaration is allowed only at the beginning")
        }
        _ = try read(until: "?>", in: "a processing instruction")
    }

    // MARK: - Elements

    mutating func name() throws(SyntaxFault) -> String {
        let start = offset
        func isStart(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: ":"), 0x80...:
                true
            default: false
            }
        }
        while let byte = next {
            let isLater = (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            guard isStart(byte) || (isLater && offset > start) else { break }
            offset += 1
        }
        guard offset > start else { throw fault(.malformedXML, "expected a name") }
        guard let name = String(validating: bytes[start..<offset], as: UTF8.self) else {
            throw fault(.notUTF8, "the preceding name is not valid UTF-8")
        }
        return name
    }

    private mutating func attribute() throws(SyntaxFault) -> XMLElement.Attribute {
        let start = position
        let name = try name()
        skipSpace()
        guard next == UInt8(ascii: "=") else { throw fault(.malformedXML, "expected \"=\"") }
        advance()
        skipSpace()
        guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault(.malformedXML, "an attribute value must be in quotation marks")
        }
        advance()
        var value: [UInt8] = []
        while let byte = next, byte != quote {
            switch byte {
            case UInt8(ascii: "<"): throw fault(.malformedXML, "\"<\" is not allowed in an attribute")
            case UInt8(ascii: "&"): value += try reference()
            default:
                try checkCharacter(byte)
                // XML 1.0, 3.3.3: each white space character in an attribute becomes a space; CR LF becomes one space.
                if byte != 0x0D || self.byte(at: offset + 1) != 0x0A { value.append(isSpace(byte) ? 0x20 : byte) }
                advance()
            }
        }
        guard next == quote else { throw fault(.malformedXML, "the text ends inside an attribute") }
        advance()
        return XMLElement.Attribute(name: name, value: try decoded(value), position: start)
    }

    func decoded(_ bytes: [UInt8]) throws(SyntaxFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw fault(.notUTF8, "the preceding text is not valid UTF-8")
        }
        return text
    }

    private mutating func element() throws(SyntaxFault) -> XMLElement {
        count += 1
        depth += 1
        defer { depth -= 1 }
        guard count <= XMLReader.maximumElements else {
            throw fault(.tooLarge, "the text has more than \(XMLReader.maximumElements) elements")
        }
        guard depth <= XMLReader.maximumDepth else {
            throw fault(.tooDeep, "elements are nested deeper than \(XMLReader.maximumDepth)")
        }
        var element = XMLElement(name: "", position: position)
        advance()
        element.name = try name()
        while true {
            let spaced = skipSpace()
            switch next {
            case UInt8(ascii: ">"):
                advance()
                try content(of: &element)
                return element
            case UInt8(ascii: "/"):
                advance()
                guard next == UInt8(ascii: ">") else { throw fault(.malformedXML, "expected \">\"") }
                advance()
                return element
            case nil: throw fault(.malformedXML, "the text ends inside the tag <\(Printable.text(element.name))>")
            default:
                guard spaced else { throw fault(.malformedXML, "expected white space") }
                let attribute = try attribute()
                guard element.attribute(attribute.name) == nil else {
                    throw SyntaxFault(
                        code: .malformedXML,
                        reason: "the attribute \"\(Printable.text(attribute.name))\" occurs twice",
                        position: attribute.position)
                }
                element.attributes.append(attribute)
                guard element.attributes.count <= XMLReader.maximumAttributes else {
                    throw fault(.tooLarge, "an element has more than \(XMLReader.maximumAttributes) attributes")
                }
            }
        }
    }

    private mutating func content(of element: inout XMLElement) throws(SyntaxFault) {
        var text: [UInt8] = []
        func flush(_ element: inout XMLElement) throws(SyntaxFault) {
            if !text.isEmpty { element.content.append(.text(try decoded(text))) }
            text = []
        }
        while let byte = next {
            switch byte {
            case UInt8(ascii: "<"):
                if looking(at: "</") {
                    try flush(&element)
                    try endTag(of: element)
                    return
                } else if looking(at: "<!--") {
                    try comment()
                } else if looking(at: "<![CDATA[") {
                    advance(9)
                    text += try read(until: "]]>", in: "a CDATA section")
                } else if looking(at: "<?") {
                    try instruction()
                } else if looking(at: "<!") {
                    throw fault(.malformedXML, "a declaration is not allowed here")
                } else {
                    try flush(&element)
                    element.content.append(.element(try self.element()))
                }
            case UInt8(ascii: "&"): text += try reference()
            default:
                try checkCharacter(byte)
                if looking(at: "]]>") { throw fault(.malformedXML, "\"]]>\" is not allowed in text") }
                // XML 1.0, 2.11: line endings are normalized to LF.
                if byte != 0x0D { text.append(byte) } else if self.byte(at: offset + 1) != 0x0A { text.append(0x0A) }
                advance()
            }
        }
        throw fault(
            .malformedXML,
            "the element <\(Printable.text(element.name))> in line \(element.position.line) is not closed")
    }

    private mutating func endTag(of element: XMLElement) throws(SyntaxFault) {
        let start = self
        advance(2)
        guard try name() == element.name else {
            throw start.fault(
                .malformedXML,
                "expected the end tag of <\(Printable.text(element.name))> from line \(element.position.line)")
        }
        skipSpace()
        guard next == UInt8(ascii: ">") else { throw fault(.malformedXML, "expected \">\"") }
        advance()
    }

    private static let entities = ["lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": "\""]

    /// Reads a reference `&…;`: one of the five predefined entities, or a character number.
    mutating func reference() throws(SyntaxFault) -> [UInt8] {
        let start = self
        advance()
        var name: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: ";"), name.count < 12, byte > 0x20, byte != UInt8(ascii: "&") {
            name.append(byte)
            advance()
        }
        guard next == UInt8(ascii: ";") else {
            throw start.fault(.malformedXML, "the reference that begins with \"&\" is not terminated")
        }
        advance()
        let text = String(decoding: name, as: UTF8.self)
        if let character = XMLReader.entities[text] { return Array(character.utf8) }
        guard text.hasPrefix("#") else {
            throw start.fault(.unknownEntity, "the entity &\(Printable.text(text)); is unknown")
        }
        let isHexadecimal = text.hasPrefix("#x")
        let digits = text.dropFirst(isHexadecimal ? 2 : 1)
        guard digits.utf8.first != UInt8(ascii: "+"), digits.utf8.first != UInt8(ascii: "-"),
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number),
            number >= 0x20 || number == 0x09 || number == 0x0A || number == 0x0D, number != 0xFFFE, number != 0xFFFF
        else { throw start.fault(.malformedXML, "&\(Printable.text(text)); is not a valid character") }
        return Array(String(Character(scalar)).utf8)
    }
}
