import HoldfastBase
import HoldfastTrust

/// Reads the `Public-Key-Pins` header of RFC 7469, with or without its name. The header applies to the host that sent
/// it.
struct HPKPReader {
    private var findings = Findings()
    private var pins: [PolicyPin] = []
    private var reportURIs: [String] = []
    private var seen: Set<String> = []
    private var includesSubdomains = false
    private var maximumAge: Int64?

    static func read(_ bytes: [UInt8], name: String, host: String?, receivedAt: Timestamp?) -> PolicyDocument {
        var reader = HPKPReader()
        return reader.document(bytes, name: name, host: host, receivedAt: receivedAt)
    }

    private mutating func document(
        _ bytes: [UInt8], name: String, host: String?, receivedAt: Timestamp?
    ) -> PolicyDocument {
        var document = PolicyDocument(
            format: .hpkp, name: name, semantics: PolicySemantics(backupPins: .required(2), emptyPins: .error))
        var isReportOnly = false
        if let header = header(in: bytes) {
            var body = header.bytes.drop { $0 <= 0x20 }
            let text = String(decoding: body.prefix(32), as: UTF8.self).lowercased()
            for name in ["public-key-pins-report-only:", "public-key-pins:"] where text.hasPrefix(name) {
                isReportOnly = name.contains("report-only")
                body = body.dropFirst(name.utf8.count)
                break
            }
            var scanner = HPKPScanner(body, lineStart: header.bytes.startIndex, line: header.number)
            do throws(SyntaxFault) {
                while let directive = try scanner.next() { add(directive) }
            } catch {
                findings.error(error)
            }
        }
        if maximumAge == nil, !isReportOnly {
            findings.error(.missingMaxAge, "the directive max-age is missing", "max-age", .start)
        }
        if pins.isEmpty, maximumAge != 0 { findings.error(.missingPin, "there is no pin", "", .start) }
        var domain = HostlessFormat.domain(
            host, depth: includesSubdomains ? .apexAndAnyDepth : .exact, pins, &findings, what: "the header")
        domain.reportURIs = reportURIs
        domain.enforcement = isReportOnly ? .reportOnly : .enforce
        if maximumAge == 0, !isReportOnly {
            // RFC 7469, 2.3.1: a max-age of 0 removes the pins of the host.
            domain.isExcluded = true
            domain.pins = []
        } else if isReportOnly {
            if maximumAge != nil {
                // RFC 7469, 2.1.2: browsers do not store such a header.
                findings.note(
                    .unusedMaxAge, "a report-only header does not expire: max-age is ignored", "max-age", .start)
            }
        } else if let maximumAge {
            if let receivedAt {
                domain.expires = receivedAt.advanced(bySeconds: maximumAge)
            } else {
                findings.warning(
                    .relativeExpiry,
                    "max-age counts from the time at which the header was received, which is unknown: the pins do "
                        + "not expire",
                    "max-age", .start)
            }
        }
        document.domains = [domain]
        document.diagnostics = findings.all
        return document
    }

    /// Returns the header's line, joined with its continuation lines, which begin with a space or a tab.
    private mutating func header(in bytes: [UInt8]) -> SourceLines.Line? {
        var header: SourceLines.Line?
        var isOpen = true
        for line in SourceLines(of: bytes) {
            if line.bytes.allSatisfy({ $0 <= 0x20 }) {
                if header != nil { isOpen = false }
            } else if let first = header {
                guard isOpen, line.bytes.first == 0x20 || line.bytes.first == 0x09 else {
                    findings.error(
                        .severalHeaders, "the file contains a second header; a host sends only one", "",
                        SourcePosition(line: line.number, column: 1))
                    break
                }
                header?.bytes = bytes[first.bytes.startIndex..<line.bytes.endIndex]
            } else {
                header = line
            }
        }
        return header
    }

    private mutating func add(_ directive: HPKPScanner.Directive) {
        let name = directive.name.lowercased()
        let path = Printable.text(directive.name)
        if name == "pin-sha256" {
            guard directive.isQuoted else {
                return findings.error(.unquotedPin, "the pin is not in quotation marks", path, directive.position)
            }
            return pins.append(findings.pin(directive.value ?? "", "pins[\(pins.count)]", directive.position))
        }
        if name.hasPrefix("pin-") {
            let isOld = name == "pin-sha1"
            return findings.add(
                isOld ? .error : .warning, isOld ? .sha1Pin : .unknownDirective,
                "pins of the kind \"\(path)\" are not supported", path, directive.position)
        }
        guard seen.insert(name).inserted else {
            return findings.error(
                .duplicateDirective, "the directive \"\(path)\" occurs twice", path, directive.position)
        }
        switch name {
        case "max-age":
            let text = directive.value ?? ""
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return findings.error(.invalidMaxAge, "max-age is not a number of seconds", path, directive.position)
            }
            maximumAge = Int64(text) ?? .max
        case "includesubdomains":
            includesSubdomains = true
            if directive.value != nil {
                findings.error(.unexpectedValue, "includeSubDomains does not take a value", path, directive.position)
            }
        case "report-uri":
            reportURIs.append(findings.reportURI(directive.value ?? "", path, directive.position))
        default:
            findings.note(
                .unknownDirective, "the directive \"\(path)\" is unknown and ignored", path, directive.position)
        }
    }
}

/// Splits a header value into directives, which are separated by semicolons (RFC 7469, 2.1).
///
/// A line break counts as white space. The reader ensures that only continuation lines follow (RFC 9112, 5.2).
struct HPKPScanner {
    /// One directive.
    struct Directive {
        var name: String
        /// The value without quotation marks.
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
        SyntaxFault(code: .malformedHeader, reason: reason, position: position)
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

    /// Returns the next directive, or `nil` at the end.
    mutating func next() throws(SyntaxFault) -> Directive? {
        skipSpace()
        while current == UInt8(ascii: ";") {
            offset += 1
            skipSpace()
        }
        guard current != nil else { return nil }
        let start = position
        let name = token()
        guard !name.isEmpty else { throw fault("expected a directive") }
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
                guard !value.isEmpty else { throw fault("expected a value") }
                directive.value = value
            }
            skipSpace()
        }
        guard current == nil || current == UInt8(ascii: ";") else { throw fault("expected a semicolon") }
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
        guard current == UInt8(ascii: "\"") else { throw fault("the quotation mark is not closed in its line") }
        offset += 1
        return String(decoding: value, as: UTF8.self)
    }
}

/// Writes the `Public-Key-Pins` header.
enum HPKPWriter {
    /// The upper limit that RFC 7469 (4.1) proposes: sixty days.
    static let defaultAge: Int64 = 60 * 86_400

    static func text(of domain: FittedDomain, at time: Timestamp?) -> String {
        let isReportOnly = domain.enforcement == .reportOnly && !domain.isExcluded
        let name = isReportOnly ? "Public-Key-Pins-Report-Only" : "Public-Key-Pins"
        var age = defaultAge
        if let expires = domain.expires, let time {
            let (difference, overflow) = expires.secondsSince1970.subtractingReportingOverflow(time.secondsSince1970)
            age = overflow ? defaultAge : max(0, difference)
        }
        if domain.isExcluded { age = 0 }
        var parts = domain.pins.map { "pin-sha256=\"\($0.base64)\"" } + (isReportOnly ? [] : ["max-age=\(age)"])
        if domain.pattern.depth == .apexAndAnyDepth { parts.append("includeSubDomains") }
        parts += domain.reportURIs.prefix(1).map { "report-uri=\"\($0)\"" }
        return "\(name): \(parts.joined(separator: "; "))\n"
    }
}
