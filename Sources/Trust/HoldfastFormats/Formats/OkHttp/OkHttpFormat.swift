import HoldfastTrust

/// Reads OkHttp pins, either as lines of a pattern and one or more pins, or as Java or Kotlin source with calls of
/// `CertificatePinner.Builder.add`. The pins of all patterns that match a host are combined.
struct OkHttpReader {
    /// The maximum number of pins.
    ///
    /// - Error: `PolicyDiagnostic.Code.tooLarge`
    static let maximumPins = 500_000
    /// The maximum length of a line in bytes.
    ///
    /// - Error: `PolicyDiagnostic.Code.tooLarge`
    static let maximumLine = 1 << 20

    /// A word with its position.
    typealias Word = (text: String, position: SourcePosition)

    private var findings = Findings()
    private var domains: [PolicyDomain] = []
    private var places: [HostPattern: Int] = [:]
    private var count = 0

    static func read(_ bytes: [UInt8], name: String) -> PolicyDocument {
        var reader = OkHttpReader()
        if SourceScanner.hasCall(bytes) { reader.readSource(bytes) } else { reader.readLines(bytes) }
        // An empty file is valid and does not pin any host. A file with text but without pins is probably a mistake.
        let isBlank = bytes.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if reader.domains.isEmpty, !isBlank, !reader.findings.all.contains(where: { $0.severity == .error }) {
            reader.findings.error(.noPinnedDomains, "the file does not pin any host", "", .start)
        }
        return PolicyDocument(
            format: .okHttp, name: name,
            semantics: PolicySemantics(precedence: .union, backupPins: .off, emptyPins: .error),
            domains: reader.domains, diagnostics: reader.findings.all)
    }

    // MARK: - Lines

    private mutating func readLines(_ bytes: [UInt8]) {
        let bytes = withoutComments(bytes)
        for line in SourceLines(of: bytes) {
            guard isShort(line) else { continue }
            let words = line.words(separatedBy: OkHttpReader.isSeparator)
            guard let first = words.first else { continue }
            guard String(validating: line.bytes, as: UTF8.self) != nil else {
                findings.error(.notUTF8, "the line is not UTF-8", "line \(line.number)", first.position)
                continue
            }
            add(first, words.dropFirst())
            guard hasRoom(at: first.position) else { return }
        }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { " \t,;\"".utf8.contains(byte) }

    /// Returns the text with comments replaced by spaces: from `#` or `//` to the end of the line, and from `/*` to
    /// `*/`.
    ///
    /// A comment begins only where a word can begin. Slashes inside a word, as in base64, are part of the word.
    private mutating func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        var isStart = true
        var offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        func looking(at text: StaticString) -> Bool {
            text.withUTF8Buffer { text in
                text.first == bytes[offset] && bytes[offset...].starts(with: text)
            }
        }
        while offset < bytes.count {
            if isStart, bytes[offset] == UInt8(ascii: "#") || looking(at: "//") {
                while offset < bytes.count, bytes[offset] != 0x0A {
                    result[offset] = 0x20
                    offset += 1
                }
            } else if isStart, looking(at: "/*") {
                let start = offset
                offset += 2
                while offset < bytes.count, !looking(at: "*/") { offset += 1 }
                if offset == bytes.count {
                    let before = bytes[..<start]
                    let line = before.count { $0 == 0x0A } + 1
                    let column = start - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
                    findings.error(
                        .malformedSource, "the comment is not terminated", "line \(line)",
                        SourcePosition(line: line, column: column))
                }
                offset = min(bytes.count, offset + 2)
                for place in start..<offset where bytes[place] != 0x0A { result[place] = 0x20 }
            } else {
                isStart = bytes[offset] <= 0x20 || OkHttpReader.isSeparator(bytes[offset])
                offset += 1
            }
        }
        return result
    }

    private mutating func isShort(_ line: SourceLines.Line) -> Bool {
        if line.bytes.count <= OkHttpReader.maximumLine { return true }
        findings.error(
            .tooLarge, "the line has more than \(OkHttpReader.maximumLine) bytes", "line \(line.number)",
            SourcePosition(line: line.number, column: 1))
        return false
    }

    // MARK: - Source

    private mutating func readSource(_ bytes: [UInt8]) {
        for line in SourceLines(of: bytes) {
            guard isShort(line) else { return }
        }
        var scanner = SourceScanner(bytes)
        do throws(SyntaxFault) {
            var isAdd = false
            while let token = try scanner.next() {
                let wasAdd = isAdd
                isAdd = false
                switch token.kind {
                case .word(let word):
                    isAdd = word.elementsEqual("add".utf8)
                    let isHash = word.elementsEqual("sha256".utf8) || word.elementsEqual("sha1".utf8)
                    if isHash, scanner.current == UInt8(ascii: "/") { misplaced(token.position) }
                case .literal(let text): if let text, BarePin.isMarked(text) { misplaced(token.position) }
                case .symbol(UInt8(ascii: "(")) where wasAdd:
                    try readCall(&scanner, at: token.position)
                    guard hasRoom(at: token.position) else { return }
                case .symbol: break
                }
            }
        } catch {
            findings.error(error.code, error.reason, "line \(error.position.line)", error.position)
        }
    }

    /// Reads the arguments of a call after its opening parenthesis.
    private mutating func readCall(_ scanner: inout SourceScanner, at start: SourcePosition) throws(SyntaxFault) {
        var arguments: [Word] = []
        var isComplete = true
        while true {
            let token = try OkHttpReader.next(&scanner, in: start)
            if token.isSymbol(")") { break }
            var last = token
            if case .literal(let text?) = token.kind {
                last = try OkHttpReader.next(&scanner, in: start)
                if last.isEnd { arguments.append((text, token.position)) }
            }
            if !last.isEnd || last.position == token.position {
                isComplete = false
                findings.error(
                    .notALiteral, "the argument is not a plain string literal, so its value is unknown",
                    "line \(token.position.line)", token.position)
                last = try OkHttpReader.skipArgument(&scanner, from: last, in: start)
            }
            if last.isSymbol(")") { break }
            guard arguments.count <= OkHttpReader.maximumPins else {
                count += arguments.count
                return
            }
        }
        guard isComplete else { return }
        guard let first = arguments.first else {
            return findings.error(.missingPin, "add has neither a pattern nor a pin", "line \(start.line)", start)
        }
        add(first, arguments.dropFirst())
    }

    private static func next(
        _ scanner: inout SourceScanner, in start: SourcePosition
    ) throws(SyntaxFault) -> SourceScanner.Token {
        if let token = try scanner.next() { return token }
        throw SyntaxFault(code: .malformedSource, reason: "the call of add is not terminated", position: start)
    }

    /// Skips the rest of an argument. Returns the comma or the parenthesis that follows it.
    private static func skipArgument(
        _ scanner: inout SourceScanner, from first: SourceScanner.Token, in start: SourcePosition
    ) throws(SyntaxFault) -> SourceScanner.Token {
        var depth = 0
        var token = first
        while depth > 0 || !token.isEnd {
            if case .symbol(let byte) = token.kind {
                if "([{".utf8.contains(byte) { depth += 1 }
                if ")]}".utf8.contains(byte) { depth -= 1 }
            }
            token = try next(&scanner, in: start)
        }
        return token
    }

    private mutating func misplaced(_ position: SourcePosition) {
        findings.error(.misplacedPin, "the pin is not an argument of add", "line \(position.line)", position)
    }

    // MARK: - Rules

    private mutating func hasRoom(at position: SourcePosition) -> Bool {
        if count <= OkHttpReader.maximumPins { return true }
        findings.error(
            .tooLarge, "there are more than \(OkHttpReader.maximumPins) pins", "line \(position.line)", position)
        return false
    }

    /// Adds a pattern with its pins.
    private mutating func add(_ first: Word, _ words: ArraySlice<Word>) {
        let path = "line \(first.position.line)"
        let pins = words.enumerated().map { index, word in
            BarePin.prefixed(word.text, "\(path).pins[\(index)]", word.position, &findings)
        }
        count += pins.count
        if pins.isEmpty { findings.error(.missingPin, "the pattern has no pin", path, first.position) }
        guard let pattern = pattern(first.text, path, first.position) else { return }
        if let place = places[pattern] {
            domains[place].pins += pins
        } else {
            places[pattern] = domains.count
            domains.append(
                PolicyDomain(text: first.text, pattern: pattern, pins: pins, path: path, position: first.position))
        }
    }

    private mutating func pattern(_ text: String, _ path: String, _ position: SourcePosition) -> HostPattern? {
        let rest = text.hasPrefix("**.") ? text.dropFirst(3) : text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
        if rest.contains("*") {
            findings.error(
                .invalidHost, "an asterisk is allowed only at the beginning, as *. (one label) or **. (any depth)",
                path, position)
            return nil
        }
        do throws(HostError) {
            return try HostPattern(text)
        } catch {
            findings.error(.invalidHost, error.reason, path, position)
            return nil
        }
    }
}

extension SourceScanner.Token {
    fileprivate func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
        if case .symbol(let byte) = kind { byte == UInt8(ascii: scalar) } else { false }
    }

    /// Whether the token ends an argument.
    fileprivate var isEnd: Bool { isSymbol(",") || isSymbol(")") }
}

/// Writes OkHttp pins, one per line.
enum OkHttpWriter {
    static func text(of domains: [FittedDomain]) -> String {
        var text = ""
        for domain in domains {
            let prefix =
                switch domain.pattern.depth {
                case .oneLabel: "*."
                case .apexAndAnyDepth: "**."
                default: ""
                }
            for pin in domain.pins { text += "\(prefix)\(domain.pattern.host) \(pin)\n" }
        }
        return text
    }
}
