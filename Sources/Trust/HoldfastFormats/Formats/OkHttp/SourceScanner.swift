import HoldfastTrust

/// Splits Java or Kotlin source into words, symbols, literals and comments, as far as needed to find calls with string
/// literals.
///
/// Throws if the two languages would split the same bytes differently, because a pin could be code in one language and
/// a comment in the other.
struct SourceScanner {
    /// A part of the source other than white space and comments.
    struct Token {
        enum Kind {
            /// The text of a string literal, or `nil` if the text depends on the program or is not UTF-8.
            case literal(String?)
            /// A name, a keyword or a number.
            case word(ArraySlice<UInt8>)
            /// Any other single byte.
            case symbol(UInt8)
        }

        var kind: Kind
        /// The position of the token; for a literal, the position of its text.
        var position: SourcePosition
    }

    private let bytes: [UInt8]
    private var offset: Int
    private var line = 1
    private var lineStart: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        lineStart = offset
    }

    /// Returns whether the text contains a call outside comments and literals, and so is source code rather than a list
    /// of lines.
    static func hasCall(_ bytes: [UInt8]) -> Bool {
        guard bytes.contains(UInt8(ascii: "(")) else { return false }
        var scanner = SourceScanner(bytes)
        do throws(SyntaxFault) {
            while let token = try scanner.next() {
                if case .symbol(UInt8(ascii: "(")) = token.kind { return true }
            }
            return false
        } catch {
            // Text that cannot be split is not a list of lines. The source reader reports the error.
            return true
        }
    }

    // MARK: - Bytes

    /// The position of the next byte.
    var position: SourcePosition { SourcePosition(line: line, column: offset - lineStart + 1) }
    /// The next byte.
    var current: UInt8? { byte(at: offset) }

    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private func looking(at text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            text.first == current && bytes[offset...].starts(with: text)
        }
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where offset < bytes.count {
            if bytes[offset] == 0x0A {
                line += 1
                lineStart = offset + 1
            }
            offset += 1
        }
    }

    private func fault(_ reason: String, _ position: SourcePosition) -> SyntaxFault {
        SyntaxFault(code: .malformedSource, reason: reason, position: position)
    }

    /// Throws for a Unicode escape of an ASCII character. Java reads `\u0022` as a quotation mark, even in a comment;
    /// Kotlin does not.
    private func checkEscape() throws(SyntaxFault) {
        var end = offset + 1
        while byte(at: end) == UInt8(ascii: "u") { end += 1 }
        guard end > offset + 1, end + 4 <= bytes.count else { return }
        let digits = String(decoding: bytes[end..<end + 4], as: UTF8.self)
        guard let value = UInt32(digits, radix: 16), value < 0x80 else { return }
        throw fault("Java reads this escape as program text; write the character itself", position)
    }

    // MARK: - Tokens

    /// Returns the next token, or `nil` at the end.
    mutating func next() throws(SyntaxFault) -> Token? {
        try skipAround()
        guard let byte = current else { return nil }
        let start = position
        switch byte {
        case UInt8(ascii: "\""): return looking(at: "\"\"\"") ? try block(start) : try literal(start)
        case UInt8(ascii: "'"): try character(start)
        case UInt8(ascii: "`"): return try quotedName(start)
        case UInt8(ascii: "\\"): throw fault("a backslash is not allowed outside a literal", start)
        default:
            guard SourceScanner.isWord(byte) else {
                advance()
                return Token(kind: .symbol(byte), position: start)
            }
            let first = offset
            while let byte = current, SourceScanner.isWord(byte) { advance() }
            return Token(kind: .word(bytes[first..<offset]), position: start)
        }
        return Token(kind: .symbol(UInt8(ascii: "'")), position: start)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    /// Skips white space and comments. `#` also begins a comment, because neither language uses it otherwise.
    private mutating func skipAround() throws(SyntaxFault) {
        while let byte = current {
            if byte <= 0x20 {
                advance()
            } else if byte == UInt8(ascii: "#") || looking(at: "//") {
                while let byte = current, byte != 0x0A, byte != 0x0D { try skipInComment(byte) }
            } else if looking(at: "/*") {
                try skipBlock()
            } else {
                return
            }
        }
    }

    private mutating func skipBlock() throws(SyntaxFault) {
        let start = position
        advance(2)
        while !looking(at: "*/") {
            guard let byte = current else { throw fault("the comment is not terminated", start) }
            if looking(at: "/*") {
                throw fault("comments are nested, which Java and Kotlin read differently", position)
            }
            try skipInComment(byte)
        }
        advance(2)
    }

    private mutating func skipInComment(_ byte: UInt8) throws(SyntaxFault) {
        if byte == UInt8(ascii: "\\") {
            try checkEscape()
            // A pair of backslashes does not begin an escape.
            if self.byte(at: offset + 1) == byte { advance() }
        }
        advance()
    }

    /// Skips a character literal such as `'x'`, which may contain a quotation mark.
    private mutating func character(_ start: SourcePosition) throws(SyntaxFault) {
        advance()
        for _ in 0..<8 {
            guard let byte = current, byte != 0x0A else { break }
            if byte == UInt8(ascii: "'") { return advance() }
            if byte == UInt8(ascii: "\\") {
                try checkEscape()
                advance()
            }
            advance()
        }
        throw fault("the character literal is not terminated", start)
    }

    private mutating func quotedName(_ start: SourcePosition) throws(SyntaxFault) -> Token {
        advance()
        let first = offset
        while let byte = current, byte != UInt8(ascii: "`") {
            guard byte != 0x0A else { break }
            advance()
        }
        guard current == UInt8(ascii: "`") else { throw fault("the quoted name is not terminated", start) }
        defer { advance() }
        return Token(kind: .word(bytes[first..<offset]), position: start)
    }

    // MARK: - Literals

    private mutating func literal(_ start: SourcePosition) throws(SyntaxFault) -> Token {
        advance()
        let place = position
        var text: [UInt8] = []
        var isPlain = true
        while let byte = current, byte != UInt8(ascii: "\"") {
            switch byte {
            case 0x0A, 0x0D: throw fault("the string literal is not terminated in its line", start)
            case UInt8(ascii: "\\"):
                try checkEscape()
                advance()
                guard let escaped = current, escaped != 0x0A else { continue }
                if let value = SourceScanner.escapes[escaped] { text.append(value) } else { isPlain = false }
                advance()
            case UInt8(ascii: "$"):
                isPlain = false
                try skipTemplate(start)
            default:
                text.append(byte)
                advance()
            }
        }
        guard current != nil else { throw fault("the string literal is not terminated in its line", start) }
        advance()
        return Token(kind: .literal(isPlain ? String(validating: text, as: UTF8.self) : nil), position: place)
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "\""): UInt8(ascii: "\""),
        UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "$"): UInt8(ascii: "$"), UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "b"): 0x08,
    ]

    /// Skips `$name` or `${…}`, which only Kotlin replaces. A quotation mark inside it would end the literal in Java.
    private mutating func skipTemplate(_ start: SourcePosition) throws(SyntaxFault) {
        advance()
        guard current == UInt8(ascii: "{") else { return }
        while let byte = current, byte != UInt8(ascii: "}") {
            guard byte != UInt8(ascii: "\""), byte != 0x0A else {
                throw fault("a literal ends inside a template, which Java and Kotlin read differently", start)
            }
            advance()
        }
    }

    /// Skips `"""…"""`. The text is not used, because Java removes white space from it and Kotlin does not.
    private mutating func block(_ start: SourcePosition) throws(SyntaxFault) -> Token {
        advance(3)
        let place = position
        while !looking(at: "\"\"\"") {
            guard current != nil else { throw fault("the text block is not terminated", start) }
            guard !looking(at: "\\\"\"\"") else {
                throw fault("a text block ends after a backslash, which Java and Kotlin read differently", position)
            }
            if looking(at: "${") { try skipTemplate(start) }
            advance()
        }
        // Kotlin ends the text at the last three of several quotation marks.
        while current == UInt8(ascii: "\"") { advance() }
        return Token(kind: .literal(nil), position: place)
    }
}
