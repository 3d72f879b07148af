import HoldfastBase
import HoldfastTrust

/// Reads pins in the form that most formats use: 32 bytes in base64 without a prefix.
enum BarePin {
    /// Returns the digest, or `nil` if the text is not the canonical base64 encoding of 32 bytes.
    static func digest(_ text: String) -> SPKIDigest? {
        guard text.utf8.count == 44, let digest = SPKIDigest(base64: text), digest.base64 == text else { return nil }
        return digest
    }

    /// Returns why a text is not a valid pin, as the end of a sentence.
    static func flaw(of text: String) -> String {
        for prefix in ["sha256/", "sha256//", "sha1/", "pin-sha256="] where text.hasPrefix(prefix) {
            return "this format writes the hash without \"\(prefix)\""
        }
        return text.utf8.count == 28
            ? "28 characters are a SHA-1 hash, expected SHA-256" : "expected 32 bytes in base64"
    }

    /// Returns whether the text has the prefix of a pin.
    static func isMarked(_ text: String) -> Bool { text.hasPrefix("sha256/") || text.hasPrefix("sha1/") }

    /// Reads a pin of the form `sha256/…`. Reports `sha1/…` and any other text as an error.
    static func prefixed(
        _ text: String, _ path: String, _ position: SourcePosition?, _ findings: inout Findings
    ) -> PolicyPin {
        var result = PolicyPin(text: text, pin: nil, path: path, position: position)
        if text.hasPrefix("sha256/") {
            result.pin = digest(String(text.dropFirst(7))).map { Pin($0) }
        } else if text.hasPrefix("sha1/") {
            findings.error(
                .sha1Pin, "SHA-1 pins are not supported: collisions can be computed. Pin the SHA-256 hash of the key",
                path,
                position)
            return result
        }
        if result.pin == nil {
            findings.error(
                .invalidPin,
                "\"\(Printable.text(text))\" is not a valid pin: expected sha256/ and 32 bytes in base64", path,
                position)
        }
        return result
    }
}

/// Creates domains for formats that apply to one host but do not name it.
enum HostlessFormat {
    static func domain(
        _ host: String?, depth: HostPattern.Depth = .exact, _ pins: [PolicyPin], _ findings: inout Findings,
        what: String
    ) -> PolicyDomain {
        var domain = PolicyDomain(text: host ?? "", pattern: nil, pins: pins, path: "host", position: .start)
        if let host {
            domain.pattern = findings.pattern(host, depth: depth, "host", .start)
        } else {
            findings.error(
                .missingHost, "\(what) does not name a host: provide the host to which it applies", "host", .start)
        }
        return domain
    }
}
