/// Reads JSON (RFC 8259) strictly: UTF-8, no duplicate keys, nothing after the value, limits on size, depth and count.
///
/// Foundation's decoders know no positions and take the last of two equal keys, and a policy in which one key silently
/// hides another is not to be relied on.
package struct JSONReader {
    /// The largest text that is read, in bytes.
    package static let maximumSize = 16 << 20
    private static let maximumDepth = 32
    private static let maximumCount = 1_000_000

    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var lineStart = 0
    private var depth = 0
    private var count = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads one value and nothing after it.
    package static func read(_ bytes: [UInt8]) throws(JSONFault) -> JSONNode {
        guard bytes.count <= maximumSize else {
            throw JSONFault(reason: "the text has more than \(maximumSize) bytes", position: .start)
        }
        var reader = JSONReader(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.offset = 3 }
        reader.skipSpace()
        let node = try reader.value()
        reader.skipSpace()
        guard reader.offset == bytes.count else { throw reader.fault("there is something after the value") }
        return node
    }

    private var position: SourcePosition { SourcePosition(line: line, column: offset - lineStart + 1) }

    private func fault(_ reason: String) -> JSONFault { JSONFault(reason: reason, position: position) }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\n"):
                offset += 1
                line += 1
                lineStart = offset
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
            default: return
            }
        }
    }

    private mutating func value() throws(JSONFault) -> JSONNode {
        let start = position
        count += 1
        guard count <= JSONReader.maximumCount else { throw fault("there are too many values") }
        switch next {
        case UInt8(ascii: "{"): return JSONNode(value: try object(), position: start)
        case UInt8(ascii: "["): return JSONNode(value: try array(), position: start)
        case UInt8(ascii: "\""): return JSONNode(value: .string(try string()), position: start)
        case UInt8(ascii: "t"): return JSONNode(value: try word("true", .bool(true)), position: start)
        case UInt8(ascii: "f"): return JSONNode(value: try word("false", .bool(false)), position: start)
        case UInt8(ascii: "n"): return JSONNode(value: try word("null", .null), position: start)
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
            return JSONNode(value: .number(try number()), position: start)
        case nil: throw fault("the text ends where a value is expected")
        default: throw fault("a value is expected here")
        }
    }

    private mutating func word(_ text: String, _ value: JSONNode.Value) throws(JSONFault) -> JSONNode.Value {
        guard bytes[offset...].starts(with: text.utf8) else { throw fault("a value is expected here") }
        offset += text.utf8.count
        return value
    }

    private mutating func enter() throws(JSONFault) {
        depth += 1
        guard depth <= JSONReader.maximumDepth else {
            throw fault("values are nested deeper than \(JSONReader.maximumDepth)")
        }
        offset += 1
        skipSpace()
    }

    /// Reads what follows an element: true if another one comes.
    private mutating func goesOn(until end: UInt8) throws(JSONFault) -> Bool {
        skipSpace()
        switch next {
        case UInt8(ascii: ","):
            offset += 1
            skipSpace()
            return true
        case end: return false
        default: throw fault("a comma or \"\(Character(Unicode.Scalar(end)))\" is expected here")
        }
    }

    private mutating func array() throws(JSONFault) -> JSONNode.Value {
        try enter()
        var elements: [JSONNode] = []
        if next != UInt8(ascii: "]") {
            repeat { elements.append(try value()) } while try goesOn(until: UInt8(ascii: "]"))
        }
        offset += 1
        depth -= 1
        return .array(elements)
    }

    private mutating func object() throws(JSONFault) -> JSONNode.Value {
        try enter()
        var members: [JSONNode.Member] = []
        var seen: Set<String> = []
        if next != UInt8(ascii: "}") {
            repeat {
                let start = position
                guard next == UInt8(ascii: "\"") else { throw fault("a key in quotation marks is expected here") }
                let key = try string()
                guard seen.insert(key).inserted else {
                    throw JSONFault(reason: "the key \"\(Printable.text(key))\" occurs twice", position: start)
                }
                skipSpace()
                guard next == UInt8(ascii: ":") else { throw fault("a colon is expected here") }
                offset += 1
                skipSpace()
                members.append(JSONNode.Member(key: key, position: start, value: try value()))
            } while try goesOn(until: UInt8(ascii: "}"))
        }
        offset += 1
        depth -= 1
        return .object(members)
    }

    private mutating func number() throws(JSONFault) -> String {
        let start = offset
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
        if next == UInt8(ascii: "-") { offset += 1 }
        guard isDigit(next) else { throw fault("a digit is expected here") }
        if next == UInt8(ascii: "0") { offset += 1 } else { while isDigit(next) { offset += 1 } }
        if next == UInt8(ascii: ".") {
            offset += 1
            guard isDigit(next) else { throw fault("a digit is expected here") }
            while isDigit(next) { offset += 1 }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            guard isDigit(next) else { throw fault("a digit is expected here") }
            while isDigit(next) { offset += 1 }
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func string() throws(JSONFault) -> String {
        offset += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                guard let result = String(validating: text, as: UTF8.self) else {
                    throw fault("the string before this place is not UTF-8")
                }
                offset += 1
                return result
            case UInt8(ascii: "\\"): text += try escape()
            case 0..<0x20: throw fault("a control character in a string must be escaped")
            default:
                text.append(byte)
                offset += 1
            }
        }
        throw fault("the text ends inside a string")
    }

    private mutating func escape() throws(JSONFault) -> [UInt8] {
        offset += 1
        let byte = next
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte ?? 0]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            let first = try codeUnit()
            var units = [first]
            if UTF16.isLeadSurrogate(first) {
                guard bytes[offset...].starts(with: Array("\\u".utf8)) else { throw fault("half of a surrogate pair") }
                offset += 2
                units.append(try codeUnit())
                guard UTF16.isTrailSurrogate(units[1]) else { throw fault("half of a surrogate pair") }
            } else if UTF16.isTrailSurrogate(first) {
                throw fault("half of a surrogate pair")
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        default:
            offset = min(offset, bytes.count)
            throw fault("an unknown escape")
        }
    }

    private mutating func codeUnit() throws(JSONFault) -> UInt16 {
        let digits = bytes[offset...].prefix(4)
        guard digits.count == 4, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16),
            digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
        else { throw fault("four hexadecimal digits are expected here") }
        offset += 4
        return unit
    }
}

/// Why a text is no JSON, and where.
package struct JSONFault: Error, Hashable, Sendable {
    package var reason: String
    package var position: SourcePosition

    package init(reason: String, position: SourcePosition) {
        self.reason = reason
        self.position = position
    }
}
