import HoldfastBase

/// Parses JSON (RFC 8259) strictly: UTF-8, unique keys, nothing after the value, and limits on size, depth and count.
///
/// Foundation's decoders do not report positions and use the last of two equal keys. A policy in which one key silently
/// hides another is not reliable.
package enum JSONReader {
    /// The maximum size of the text in bytes.
    ///
    /// - Error: the error of the format, for example `TransparencyLogListError`
    package static let maximumSize = 16 << 20
    /// The maximum nesting depth of arrays and objects.
    ///
    /// - Error: the error of the format, for example `TransparencyLogListError`
    static let maximumDepth = 32

    /// Parses one value. Refuses text after it.
    package static func read(_ bytes: [UInt8]) throws(JSONFault) -> JSONNode {
        do throws(JSONScanner.Fault) {
            var scanner = try JSONScanner(
                bytes, maximumBytes: maximumSize, maximumDepth: maximumDepth, maximumCount: 1_000_000,
                allowsByteOrderMark: true)
            let node = try node(&scanner)
            try scanner.finish()
            return node
        } catch {
            throw JSONFault(error)
        }
    }

    private static func node(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> JSONNode {
        let token = try scanner.value()
        let position = SourcePosition(scanner)
        let value: JSONNode.Value =
            switch token {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .number(let digits): .number(digits)
            case .string(let text): .string(text)
            case .array: .array(try elements(&scanner))
            case .object: .object(try members(&scanner))
            }
        return JSONNode(value: value, position: position)
    }

    private static func elements(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> [JSONNode] {
        var elements: [JSONNode] = []
        while try scanner.hasElement() { elements.append(try node(&scanner)) }
        return elements
    }

    private static func members(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        var seen: Set<String> = []
        while let key = try scanner.key() {
            let position = SourcePosition(scanner)
            guard seen.insert(key).inserted else { throw scanner.refusal(.repeatedKey(key)) }
            try scanner.colon()
            members.append(JSONNode.Member(key: key, position: position, value: try node(&scanner)))
        }
        return members
    }
}

extension SourcePosition {
    /// The position of the last value or key.
    fileprivate init(_ scanner: JSONScanner) {
        self.init(line: scanner.place.line, column: scanner.place.column)
    }
}

/// An error in JSON text with its position.
package struct JSONFault: Error, Hashable, Sendable {
    package var reason: String
    package var position: SourcePosition

    package init(reason: String, position: SourcePosition) {
        self.reason = reason
        self.position = position
    }

    /// Creates a fault from a fault of the scanner.
    init(_ fault: JSONScanner.Fault) {
        var offset = fault.offset
        switch fault.code {
        case .tooLong: reason = "the text has more than \(JSONReader.maximumSize) bytes"
        case .tooDeep: reason = "values are nested deeper than \(JSONReader.maximumDepth)"
        case .tooMany: reason = "the text has too many values"
        case .value where fault.isAtEnd && fault.start == offset: reason = "the text ends, expected a value"
        case .value:
            reason = "a value is expected here"
            offset = fault.start
        case .key: reason = "expected a key in quotation marks"
        case .colon: reason = "expected a colon"
        case .comma(let end): reason = "expected a comma or \"\(end)\""
        case .digit: reason = "expected a digit"
        case .escape:
            reason = "the escape sequence is unknown"
            // The position after the character.
            if !fault.isAtEnd { offset += 1 }
        case .hexadecimal:
            reason = "expected four hexadecimal digits"
            offset = fault.start
        case .surrogate: reason = "the surrogate pair is incomplete"
        case .controlCharacter: reason = "a control character in a string must be escaped"
        case .notUTF8: reason = "the preceding string is not valid UTF-8"
        case .openString: reason = "the text ends inside a string"
        case .trailing: reason = "the text continues after the value"
        case .repeatedKey(let key): reason = "the key \"\(Printable.text(key))\" occurs twice"
        }
        position = SourcePosition(line: fault.line, column: fault.column(of: offset))
    }
}
