import HoldfastBase
import HoldfastTrust

extension Linter {
    /// Compares the pins with a chain that a server presents, including with hashes of other parts of its certificates.
    ///
    /// Adds a finding if no rule with pins covers a name of the server's certificate, because the chain then does not
    /// show whether the server would be accepted.
    mutating func check(_ chain: PresentedChain) {
        let certificates = chain.certificates
        var isCompared = false
        let keys = Set(certificates.map(\.spkiDigest))
        for rule in pinning {
            for pin in rule.listed {
                guard let value = pin.pin else { continue }
                for certificate in certificates { compare(value, pin, with: certificate) }
            }
            guard covers(rule, chain) else { continue }
            isCompared = true
            let matching = rule.pins.filter { pin in
                certificates.enumerated().contains { PinSet([pin]).matches($1, isLeaf: $0 == 0) }
            }
            if matching.isEmpty {
                findings.warning(at: rule.domain, .pinNotInChain, "no pin of \(rule.pattern) matches the given chain")
            } else if rule.keys.count > 1, rule.pins.allSatisfy({ $0.spkiDigest.map(keys.contains) == true }) {
                findings.warning(
                    at: rule.domain, .backupInChain,
                    "all pins of \(rule.pattern) are keys of the given chain: there is no backup stored elsewhere")
            }
        }
        guard !isCompared else { return }
        let names = chain.leaf?.names ?? []
        let shown =
            names.prefix(5).map { Printable.text($0) }.joined(separator: ", ") + (names.count > 5 ? ", …" : "")
        findings.warning(
            .chainNotCompared,
            names.isEmpty
                ? "the chain was not compared: its first certificate cannot be read, or does not name a host"
                : "the chain was not compared: no rule with pins covers a host that its certificate names (\(shown))",
            "", .start)
    }

    private func covers(_ rule: Rule, _ chain: PresentedChain) -> Bool {
        (chain.leaf?.names ?? []).contains { name in
            let text = name.hasPrefix("*.") ? String(name.dropFirst(2)) : name
            guard let host = try? CanonicalHost(text) else { return false }
            let pattern = HostPattern(host, depth: name.hasPrefix("*.") ? .oneLabel : .exact)
            return rule.pattern.overlaps(pattern)
        }
    }

    private mutating func compare(_ pin: Pin, _ written: PolicyPin, with certificate: CertificateView) {
        let meanings: [(Pin, PolicyDiagnostic.Code, String)] = [
            (Pin(certificate.rawKeyDigest), .rawKeyHash, "the bare key"),
            (Pin(certificate.certificateDigest), .certificateHash, "the whole certificate"),
            (Pin(certificate.spkiDigest), .spkiHash, "the SubjectPublicKeyInfo"),
        ]
        for (meant, code, words) in meanings where meant.domain != pin.domain && meant.sha256 == pin.sha256 {
            findings.error(
                at: written, code,
                "the pin is the hash of \(words) of \(certificate.subject), and never matches as declared; "
                    + "the hash of its key is \(certificate.spkiDigest)")
        }
    }

    /// Warns of pins of a system root. Such a pin accepts every certificate that the root's owner issues to anyone.
    mutating func check(roots: [CertificateView]) {
        let keys = Dictionary(roots.map { ($0.spkiDigest, $0.subject) }) { first, _ in first }
        for rule in pinning {
            for pin in rule.listed {
                guard let digest = pin.pin?.spkiDigest, let subject = keys[digest] else { continue }
                findings.warning(
                    at: pin, .systemRootPin,
                    "the pin is the key of the system root \(subject), which issues certificates for everyone")
            }
        }
    }
}
