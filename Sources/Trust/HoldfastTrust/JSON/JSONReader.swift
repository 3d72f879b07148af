import HoldfastBase

/// Reads JSON (RFC 8259) strictly: UTF-8, no duplicate keys, nothing after the value, limits on size, depth and count.
///
/// Foundation's decoders know no positions and take the last of two equal keys, and a policy in which one key silently
/// hides another is not to be relied on.
package enum JSONReader {
    /// The largest text that is read, in bytes.
    package static let maximumSize = 16 << 20
    fileprivate static let maximumDepth = 32

    /// Reads one value and nothing after it.
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

/// Why a text is no JSON, and where.
package struct JSONFault: Error, Hashable, Sendable {
    package var reason: String
    package var position: SourcePosition

    package init(reason: String, position: SourcePosition) {
        self.reason = reason
        self.position = position
    }

    /// Puts a fault of the scanner into words.
    fileprivate init(_ fault: JSONScanner.Fault) {
        var offset = fault.offset
        switch fault.code {
        case .tooLong: reason = "the text has more than \(JSONReader.maximumSize) bytes"
        case .tooDeep: reason = "values are nested deeper than \(JSONReader.maximumDepth)"
        case .tooMany: reason = "there are too many values"
        case .value where fault.isAtEnd && fault.start == offset: reason = "the text ends where a value is expected"
        case .value:
            reason = "a value is expected here"
            offset = fault.start
        case .key: reason = "a key in quotation marks is expected here"
        case .colon: reason = "a colon is expected here"
        case .comma(let end): reason = "a comma or \"\(end)\" is expected here"
        case .digit: reason = "a digit is expected here"
        case .escape:
            reason = "an unknown escape"
            // Behind the character.
            if !fault.isAtEnd { offset += 1 }
        case .hexadecimal:
            reason = "four hexadecimal digits are expected here"
            offset = fault.start
        case .surrogate: reason = "half of a surrogate pair"
        case .controlCharacter: reason = "a control character in a string must be escaped"
        case .notUTF8: reason = "the string before this place is not UTF-8"
        case .openString: reason = "the text ends inside a string"
        case .trailing: reason = "there is something after the value"
        case .repeatedKey(let key): reason = "the key \"\(Printable.text(key))\" occurs twice"
        }
        position = SourcePosition(line: fault.line, column: fault.column(of: offset))
    }
}

extension SourcePosition {
    /// Where the last value or key begins.
    fileprivate init(_ scanner: JSONScanner) {
        self.init(line: scanner.place.line, column: scanner.place.column)
    }
}
