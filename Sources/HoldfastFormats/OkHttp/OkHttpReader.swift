import HoldfastTrust

/// Reads OkHttp pins as lines: a pattern and one pin or more. All patterns that match a host add up.
enum OkHttpReader {
    static func read(_ bytes: [UInt8], name: String) -> PolicyDocument {
        var findings = Findings()
        var domains: [PolicyDomain] = []
        var places: [HostPattern: Int] = [:]
        for line in SourceLines.lines(of: bytes) {
            let words = line.words { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
            guard let first = words.first, !first.text.hasPrefix("#"), !first.text.hasPrefix("//") else { continue }
            let path = "line \(line.number)"
            guard String(validating: line.bytes, as: UTF8.self) != nil else {
                findings.error("not-utf8", "the line is not UTF-8", path, first.position)
                continue
            }
            let pins = words.dropFirst().enumerated().map { index, word in
                BarePin.prefixed(word.text, "\(path).pins[\(index)]", word.position, &findings)
            }
            if pins.isEmpty {
                findings.error("missing-pin", "a pattern without a pin", path, first.position)
            }
            guard let pattern = pattern(first.text, path, first.position, &findings) else { continue }
            if let place = places[pattern] {
                domains[place].pins += pins
            } else {
                places[pattern] = domains.count
                domains.append(
                    PolicyDomain(text: first.text, pattern: pattern, pins: pins, path: path, position: first.position))
            }
        }
        return PolicyDocument(
            format: .okHttp, name: name,
            semantics: PolicySemantics(precedence: .union, backupPins: .off, emptyPins: .error), domains: domains,
            diagnostics: findings.all)
    }

    private static func pattern(
        _ text: String, _ path: String, _ position: SourcePosition, _ findings: inout Findings
    ) -> HostPattern? {
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
