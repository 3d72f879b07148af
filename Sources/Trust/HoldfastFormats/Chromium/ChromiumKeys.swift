import HoldfastTrust

/// Chromium's second file, in which each key has a name: a line with the name, then its hash, or a certificate or key in
/// PEM.
enum ChromiumKeys {
    static func read(_ bytes: [UInt8], _ findings: inout Findings) -> [String: SPKIDigest] {
        var keys: [String: SPKIDigest] = [:]
        var name: (text: String, position: SourcePosition)?
        var pem: [UInt8]?
        for line in SourceLines(of: bytes) {
            let text = XMLElement.trimmed(String(decoding: line.bytes, as: UTF8.self))
            let position = SourcePosition(line: line.number, column: 1)
            if var block = pem {
                block += Array(line.bytes) + [0x0A]
                pem = block
                guard text.hasPrefix("-----END"), let current = name else { continue }
                if let source = try? PinSource.sources(in: block).first {
                    keys[current.text] = source.publicKey.digest
                } else {
                    findings.error(
                        "invalid-key", "the key \"\(Printable.text(current.text))\" cannot be read", current.text,
                        current.position)
                }
                pem = nil
                name = nil
            } else if text.isEmpty || text.hasPrefix("#") {
                continue
            } else if let current = name {
                if text.hasPrefix("-----BEGIN") {
                    pem = Array(line.bytes) + [0x0A]
                } else if current.text == "PinsListTimestamp" {
                    name = nil
                } else {
                    let digest = text.hasPrefix("sha256/") ? BarePin.digest(String(text.dropFirst(7))) : nil
                    if digest == nil {
                        findings.error(
                            "invalid-pin",
                            "\"\(Printable.text(text))\" is not a valid hash: expected sha256/ and 32 bytes in base64",
                            Printable.text(current.text), position)
                    }
                    keys[current.text] = digest
                    name = nil
                }
            } else {
                name = (text, position)
            }
        }
        if let name {
            findings.error(
                "invalid-key", "the key \"\(Printable.text(name.text))\" has no hash", Printable.text(name.text),
                name.position)
        }
        return keys
    }
}
