import HoldfastBase

extension JSONValue {
    /// Reads JSON text (RFC 8259) within limits. If a key is repeated, the last value is used. A lone surrogate escape
    /// becomes U+FFFD instead of an error: servers that cut text in the middle of an emoji send them, and one such text
    /// must not cost a whole batch.
    package init(parsing bytes: [UInt8], limits: JSONLimits = .frame) throws(JSONError) {
        do throws(JSONScanner.Fault) {
            var scanner = try JSONScanner(
                bytes, maximumBytes: limits.maximumBytes, maximumDepth: limits.maximumDepth,
                replacesLoneSurrogates: true)
            self = try JSONValue(&scanner)
            try scanner.finish()
        } catch {
            throw JSONError(error, limits)
        }
    }

    /// Reads JSON text from a string.
    package init(parsing text: String, limits: JSONLimits = .frame) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }

    private init(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        switch try scanner.value() {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .string(let text): self = .string(text)
        case .number(let lexeme):
            // JSON does not allow leading zeros.
            guard !scanner.isBeforeDigit else { throw scanner.refusal(.digit) }
            self = .number(JSONNumber(checkedLexeme: lexeme))
        case .array:
            var elements: [JSONValue] = []
            while try scanner.hasElement() { elements.append(try JSONValue(&scanner)) }
            self = .array(elements)
        case .object:
            var object = JSONObject()
            while let key = try scanner.key() {
                try scanner.colon()
                object[key] = try JSONValue(&scanner)
            }
            self = .object(object)
        }
    }
}

extension JSONValue {
    /// Reads a JSON object. `context` names it in errors.
    static func object(
        parsing bytes: [UInt8], limits: JSONLimits, in context: String, _ dialect: ChatDialect = .documented
    ) throws(WireError) -> JSONObject {
        dialect.read(try plainObject(parsing: bytes, limits: limits, in: context))
    }

    /// Reads a frame, which must be a JSON object.
    static func frame(
        parsing bytes: [UInt8], limits: JSONLimits, _ dialect: ChatDialect
    ) throws(WireError) -> JSONObject {
        dialect.read(frame: try plainObject(parsing: bytes, limits: limits, in: "frame"))
    }

    private static func plainObject(
        parsing bytes: [UInt8], limits: JSONLimits, in context: String
    ) throws(WireError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes, limits: limits)
        } catch {
            throw WireError(.json(error), in: context)
        }
        guard let object = value.objectValue else { throw WireError(.notAnObject, in: context) }
        return object
    }
}

/// The limits for JSON from a peer.
package struct JSONLimits: Hashable, Sendable {
    /// The largest size of the text in bytes.
    package var maximumBytes: Int
    /// The deepest nesting of arrays and objects. It also protects the recursive parser from a stack overflow.
    ///
    /// - Error: `JSONError.Code.tooDeep`
    package var maximumDepth: Int

    package init(maximumBytes: Int, maximumDepth: Int = 64) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
    }

    /// The limits for a socket frame: 4 MiB. That is far above a batch of messages and far below the memory of a phone.
    package static let frame = JSONLimits(maximumBytes: 4 << 20)
    /// The limits for a REST answer: 16 MiB, enough for a history page of thousands of messages.
    package static let answer = JSONLimits(maximumBytes: 16 << 20)
}

/// An error that reports text that is not valid JSON or exceeds the limits.
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
    /// The byte offset at which reading stopped.
    package let offset: Int

    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    init(_ fault: JSONScanner.Fault, _ limits: JSONLimits) {
        var offset = fault.offset
        switch fault.code {
        case .tooLong, .tooMany:
            code = .tooLong
            offset = limits.maximumBytes
        case .tooDeep: code = .tooDeep
        case .digit:
            code = .badNumber
            offset = fault.start
        case .notUTF8:
            code = .notUTF8
            offset = fault.start
        case .controlCharacter: code = .controlCharacter
        case .trailing: code = .trailingBytes
        case _ where fault.isAtEnd: code = .unexpectedEnd
        case .escape, .hexadecimal, .surrogate: code = .badEscape
        case .value, .key, .colon, .comma, .openString, .repeatedKey: code = .unexpectedByte
        }
        self.offset = offset
    }

    package var description: String { "invalid JSON at byte \(offset): \(code.rawValue)" }
}
