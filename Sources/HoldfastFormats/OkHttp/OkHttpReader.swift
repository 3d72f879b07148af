import HoldfastTrust

/// Reads OkHttp pins as lines: a pattern and one pin or more, or a call of `CertificatePinner.Builder.add` with them. All
/// patterns that match a host add up.
struct OkHttpReader {
    /// How many pins are read.
    static let maximumPins = 500_000
    /// How long a line may be, in bytes.
    static let maximumLine = 1 << 20

    private var findings = Findings()
    private var domains: [PolicyDomain] = []
    private var places: [HostPattern: Int] = [:]
    private var count = 0

    static func read(_ bytes: [UInt8], name: String) -> PolicyDocument {
        var reader = OkHttpReader()
        for line in SourceLines(of: bytes) {
            reader.read(line)
            guard reader.count <= maximumPins else {
                reader.findings.error(
                    "too-large", "there are more than \(maximumPins) pins", "line \(line.number)",
                    SourcePosition(line: line.number, column: 1))
                break
            }
        }
        return PolicyDocument(
            format: .okHttp, name: name,
            semantics: PolicySemantics(precedence: .union, backupPins: .off, emptyPins: .error),
            domains: reader.domains, diagnostics: reader.findings.all)
    }

    private mutating func read(_ line: SourceLines.Line) {
        let path = "line \(line.number)"
        guard line.bytes.count <= OkHttpReader.maximumLine else {
            return findings.error(
                "too-large", "the line has more than \(OkHttpReader.maximumLine) bytes", path,
                SourcePosition(line: line.number, column: 1))
        }
        let words = line.words { byte in
            byte == 0x20 || byte == 0x09 || " ,\"();".utf8.contains(byte)
        }
        if line.bytes.contains(UInt8(ascii: "(")), let call = words.firstIndex(where: { $0.text.hasSuffix(".add") }) {
            // What the builder is called says nothing; pins in front of a call are meant to count.
            if words[..<call].contains(where: { BarePin.isMarked($0.text) }) { read(words[..<call], path, line) }
            for call in words[call...].split(whereSeparator: { $0.text.hasSuffix(".add") }) { read(call, path, line) }
        } else {
            read(words[...], path, line)
        }
    }

    private mutating func read(
        _ words: ArraySlice<(text: String, position: SourcePosition)>, _ path: String, _ line: SourceLines.Line
    ) {
        guard let first = words.first, !first.text.hasPrefix("#"), !first.text.hasPrefix("//") else { return }
        guard String(validating: line.bytes, as: UTF8.self) != nil else {
            return findings.error("not-utf8", "the line is not UTF-8", path, first.position)
        }
        let pins = words.dropFirst().enumerated().map { index, word in
            BarePin.prefixed(word.text, "\(path).pins[\(index)]", word.position, &findings)
        }
        count += pins.count
        if pins.isEmpty { findings.error("missing-pin", "a pattern without a pin", path, first.position) }
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
                "invalid-host", "an asterisk stands only in front, as *. (one label) or **. (any)", path, position)
            return nil
        }
        do throws(HostError) {
            return try HostPattern(text)
        } catch {
            findings.error("invalid-host", error.reason, path, position)
            return nil
        }
    }
}
