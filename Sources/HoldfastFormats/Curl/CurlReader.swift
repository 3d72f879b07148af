import HoldfastTrust

/// Reads the value of curl's `--pinnedpubkey`: hashes of the server's own key. It names no host.
enum CurlReader {
    static func read(_ bytes: [UInt8], name: String, host: String?) -> PolicyDocument {
        var findings = Findings()
        var document = PolicyDocument(
            format: .curl, name: name, semantics: PolicySemantics(backupPins: .off, emptyPins: .error))
        var pins: [PolicyPin] = []
        for line in SourceLines.lines(of: bytes) {
            let words = line.words { $0 == UInt8(ascii: ";") || $0 <= 0x20 || $0 == UInt8(ascii: "\"") }
            for word in words where !["--pinnedpubkey", "pinnedpubkey", "="].contains(word.text) {
                let path = "pins[\(pins.count)]"
                var pin = PolicyPin(text: word.text, pin: nil, path: path, position: word.position)
                if word.text.hasPrefix("sha256//") {
                    pin.pin = BarePin.digest(String(word.text.dropFirst(8))).map { Pin($0, scope: .leaf) }
                    if pin.pin == nil {
                        findings.error(
                            "invalid-pin",
                            "\"\(Printable.text(word.text))\" is no pin: sha256// and 32 bytes of base64 are needed",
                            path,
                            word.position)
                    }
                } else {
                    findings.error(
                        "file-path",
                        "\"\(Printable.text(word.text))\" names a file with a key, which is not read here: holdfast pin FILE prints its pin",
                        path, word.position)
                }
                pins.append(pin)
            }
        }
        if pins.isEmpty { findings.error("missing-pin", "there is no pin", "", .start) }
        document.domains = [HostlessFormat.domain(host, pins, &findings, what: "curl's option")]
        document.diagnostics = findings.all
        return document
    }
}
