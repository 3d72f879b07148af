import HoldfastBase
import HoldfastTrust

/// Reads the value of curl's `--pinnedpubkey`: hashes of the server's own key. The value does not name a host.
enum CurlReader {
    static func read(_ bytes: [UInt8], name: String, host: String?) -> PolicyDocument {
        var findings = Findings()
        var document = PolicyDocument(
            format: .curl, name: name, semantics: PolicySemantics(backupPins: .off, emptyPins: .error))
        var pins: [PolicyPin] = []
        for line in SourceLines(of: bytes) {
            let words = line.words {
                $0 == UInt8(ascii: ";") || $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'")
            }
            // A comment in a configuration file.
            if words.first?.text.hasPrefix("#") == true { continue }
            for word in words {
                guard let text = value(of: word.text) else { continue }
                let pin = pin(text, "pins[\(pins.count)]", word.position, &findings)
                pins.append(pin)
            }
        }
        if pins.isEmpty { findings.error(.missingPin, "there is no pin", "", .start) }
        document.domains = [HostlessFormat.domain(host, pins, &findings, what: "curl's option")]
        document.diagnostics = findings.all
        return document
    }

    /// Returns the value of a word without the option's name, or `nil` if the word is only the option's name.
    private static func value(of word: String) -> String? {
        var rest = word[...]
        for name in ["--pinnedpubkey", "pinnedpubkey"] where rest.hasPrefix(name) {
            rest = rest.dropFirst(name.count)
            break
        }
        if rest.first == "=" || rest.first == ":" { rest = rest.dropFirst() }
        return rest.isEmpty ? nil : String(rest)
    }

    private static func pin(
        _ text: String, _ path: String, _ position: SourcePosition, _ findings: inout Findings
    ) -> PolicyPin {
        var pin = PolicyPin(text: text, pin: nil, path: path, position: position)
        if text.hasPrefix("sha256//") {
            pin.pin = BarePin.digest(String(text.dropFirst(8))).map { Pin($0, scope: .leaf) }
            if pin.pin == nil {
                findings.error(
                    .invalidPin,
                    "\"\(Printable.text(text))\" is not a valid pin: expected sha256// and 32 bytes in base64", path,
                    position)
            }
        } else {
            findings.error(
                .filePath,
                "\"\(Printable.text(text))\" is the path of a key file, which is not read here; holdfast pin FILE "
                    + "prints its pin",
                path, position)
        }
        return pin
    }
}

/// Writes the value of curl's `--pinnedpubkey`.
enum CurlWriter {
    static func text(of domain: FittedDomain) -> String {
        domain.pins.map { "sha256//" + $0.base64 }.joined(separator: ";") + "\n"
    }
}
