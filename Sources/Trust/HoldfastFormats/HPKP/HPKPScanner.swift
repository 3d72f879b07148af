import HoldfastTrust

/// Takes a header value apart: directives between semicolons (RFC 7469, 2.1). A line break is white space; the reader makes
/// sure that only folded lines follow (RFC 9112, 5.2).
struct HPKPScanner {
    /// One directive.
    struct Directive {
        var name: String
        /// Without its quotation marks.
        var value: String?
        var isQuoted: Bool
        var position: SourcePosition
    }

    private let bytes: ArraySlice<UInt8>
    private var lineStart: Int
    private var line: Int
    private var offset: Int

    init(_ bytes: ArraySlice<UInt8>, lineStart: Int, line: Int) {
        self.bytes = bytes
        self.lineStart = lineStart
        self.line = line
        self.offset = bytes.startIndex
    }

    private var current: UInt8? { offset < bytes.endIndex ? bytes[offset] : nil }
    private var position: SourcePosition { SourcePosition(line: line, column: offset - lineStart + 1) }

    private func fault(_ reason: String) -> SyntaxFault {
        SyntaxFault(code: "malformed-header", reason: reason, position: position)
    }

    private mutating func skipSpace() {
        while let byte = current {
            let isBreak = byte == 0x0D && offset + 1 < bytes.endIndex && bytes[offset + 1] == 0x0A
            guard byte == 0x20 || byte == 0x09 || byte == 0x0A || isBreak else { return }
            offset += 1
            if byte == 0x0A {
                line += 1
                lineStart = offset
            }
        }
    }

    /// The next directive; `nil` at the end.
    mutating func next() throws(SyntaxFault) -> Directive? {
        skipSpace()
        while current == UInt8(ascii: ";") {
            offset += 1
            skipSpace()
        }
        guard current != nil else { return nil }
        let start = position
        let name = token()
        guard !name.isEmpty else { throw fault("a directive is expected here") }
        var directive = Directive(name: name, value: nil, isQuoted: false, position: start)
        skipSpace()
        if current == UInt8(ascii: "=") {
            offset += 1
            skipSpace()
            if current == UInt8(ascii: "\"") {
                directive.value = try quoted()
                directive.isQuoted = true
            } else {
                let value = token()
                guard !value.isEmpty else { throw fault("a value is expected here") }
                directive.value = value
            }
            skipSpace()
        }
        guard current == nil || current == UInt8(ascii: ";") else { throw fault("a semicolon is expected here") }
        return directive
    }

    private mutating func token() -> String {
        let start = offset
        while let byte = current, byte > 0x20, byte < 0x7F, !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func quoted() throws(SyntaxFault) -> String {
        offset += 1
        var value: [UInt8] = []
        while let byte = current, byte != UInt8(ascii: "\""), byte != 0x0A {
            offset += 1
            guard byte == UInt8(ascii: "\\") else {
                value.append(byte)
                continue
            }
            guard let escaped = current, escaped != 0x0A else { break }
            value.append(escaped)
            offset += 1
        }
        guard current == UInt8(ascii: "\"") else { throw fault("the line ends inside quotation marks") }
        offset += 1
        return String(decoding: value, as: UTF8.self)
    }
}
