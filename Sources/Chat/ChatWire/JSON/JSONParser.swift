/// Reads one JSON text (RFC 8259) within limits. A lone surrogate escape becomes U+FFFD instead of an error: servers
/// that cut a text in the middle of an emoji send them, and one such text must not cost a whole batch.
struct JSONParser {
    private let bytes: [UInt8]
    private let limits: JSONLimits
    private var offset = 0

    static func parse(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.maximumBytes else { throw JSONError(.tooLong, at: limits.maximumBytes) }
        var parser = JSONParser(bytes: bytes, limits: limits)
        parser.skipWhiteSpace()
        let value = try parser.value(depth: 0)
        parser.skipWhiteSpace()
        guard parser.offset == bytes.count else { throw JSONError(.trailingBytes, at: parser.offset) }
        return value
    }

    private init(bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipWhiteSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    private mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard let found = next else { throw JSONError(.unexpectedEnd, at: offset) }
        guard found == byte else { throw JSONError(.unexpectedByte, at: offset) }
        offset += 1
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard let byte = next else { throw JSONError(.unexpectedEnd, at: offset) }
        switch byte {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: throw JSONError(.unexpectedByte, at: offset)
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount { try expect(text.utf8Start[index]) }
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= limits.maximumDepth else { throw JSONError(.tooDeep, at: offset) }
        offset += 1
        var object = JSONObject()
        skipWhiteSpace()
        if next == UInt8(ascii: "}") {
            offset += 1
            return object
        }
        while true {
            skipWhiteSpace()
            guard next == UInt8(ascii: "\"") else {
                throw JSONError(next == nil ? .unexpectedEnd : .unexpectedByte, at: offset)
            }
            let key = try string()
            skipWhiteSpace()
            try expect(UInt8(ascii: ":"))
            skipWhiteSpace()
            object[key] = try value(depth: depth)
            skipWhiteSpace()
            if next == UInt8(ascii: ",") {
                offset += 1
                continue
            }
            try expect(UInt8(ascii: "}"))
            return object
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth <= limits.maximumDepth else { throw JSONError(.tooDeep, at: offset) }
        offset += 1
        var elements: [JSONValue] = []
        skipWhiteSpace()
        if next == UInt8(ascii: "]") {
            offset += 1
            return elements
        }
        while true {
            skipWhiteSpace()
            elements.append(try value(depth: depth))
            skipWhiteSpace()
            if next == UInt8(ascii: ",") {
                offset += 1
                continue
            }
            try expect(UInt8(ascii: "]"))
            return elements
        }
    }

    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = offset
        if next == UInt8(ascii: "-") { offset += 1 }
        let leadingZero = next == UInt8(ascii: "0")
        let integerDigits = digits()
        guard integerDigits > 0, !(leadingZero && integerDigits > 1) else { throw JSONError(.badNumber, at: start) }
        if next == UInt8(ascii: ".") {
            offset += 1
            guard digits() > 0 else { throw JSONError(.badNumber, at: start) }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            guard digits() > 0 else { throw JSONError(.badNumber, at: start) }
        }
        return JSONNumber(checkedLexeme: String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    private mutating func digits() -> Int {
        let start = offset
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
        return offset - start
    }
}

// MARK: - Strings

extension JSONParser {
    private mutating func string() throws(JSONError) -> String {
        let start = offset
        offset += 1
        var text: [UInt8] = []
        while true {
            guard let byte = next else { throw JSONError(.unexpectedEnd, at: offset) }
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw JSONError(.notUTF8, at: start)
                }
                return string
            case UInt8(ascii: "\\"):
                offset += 1
                try escape(into: &text)
            case 0x00..<0x20:
                throw JSONError(.controlCharacter, at: offset)
            default:
                text.append(byte)
                offset += 1
            }
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte = next else { throw JSONError(.unexpectedEnd, at: offset) }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try escapedScalar()).utf8)
        default: throw JSONError(.badEscape, at: offset - 1)
        }
    }

    private mutating func escapedScalar() throws(JSONError) -> Character {
        let first = try hexUnit()
        if let scalar = Unicode.Scalar(first) { return Character(scalar) }
        // A high surrogate counts only with the low one that follows it; the low one is left unread otherwise.
        if (0xD800...0xDBFF).contains(first), offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        {
            let before = offset
            offset += 2
            let second = try hexUnit()
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
            {
                return Character(scalar)
            }
            offset = before
        }
        return "\u{FFFD}"
    }

    private mutating func hexUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next else { throw JSONError(.unexpectedEnd, at: offset) }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw JSONError(.badEscape, at: offset)
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }
}

/// Why a text is not JSON that this reader accepts.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        case tooLong
        case tooDeep
        case unexpectedEnd
        case unexpectedByte
        case badNumber
        case badEscape
        case controlCharacter
        case notUTF8
        case trailingBytes
    }

    package let code: Code
    /// The position in bytes at which reading stopped.
    package let offset: Int

    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    package var description: String { "JSON refused at byte \(offset): \(code.rawValue)" }
}

/// How much of a peer's JSON is read before it is refused.
package struct JSONLimits: Hashable, Sendable {
    /// The longest text in bytes.
    package var maximumBytes: Int
    /// The deepest nesting of arrays and objects; also what keeps the recursive parser off the end of the stack.
    package var maximumDepth: Int

    package init(maximumBytes: Int, maximumDepth: Int = 64) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
    }

    /// One socket frame: 4 MiB, far above a batch of messages, far below what would hurt a phone.
    package static let frame = JSONLimits(maximumBytes: 4 << 20)
    /// One REST answer: 16 MiB, a history page of thousands of messages.
    package static let answer = JSONLimits(maximumBytes: 16 << 20)
}
