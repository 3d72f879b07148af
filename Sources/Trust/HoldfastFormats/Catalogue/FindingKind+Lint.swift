import HoldfastTrust

extension FindingKind {
    /// What lint finds beside.
    static let linting: [FindingKind] = [
        FindingKind(
            "unusable-policy", [.error],
            "The file can be read, and no policy can be made of it; the message says why.",
            remedy: "Do what the message asks for."),
        FindingKind(
            "empty-policy", [.error],
            "A policy asks for nothing: no rule with pins, denied key or anchor, and hosts without a rule are allowed.",
            remedy: "Add a rule with pins."),
        FindingKind(
            "missing-backup-pin", [.error, .warning],
            "A host has one key and no backup; an error where the format needs one.",
            remedy: "Pin a second key that is kept elsewhere, or a CA's."),
        FindingKind(
            "single-pin", [.warning],
            "The whole policy rests on one key.",
            remedy: "Pin a backup key that is kept elsewhere."),
        FindingKind(
            "no-pins", [.warning],
            "A rule refuses every connection.",
            remedy: "Add pins, or exclude the host."),
        FindingKind(
            "duplicate-pin", [.warning],
            "A pin is listed twice.",
            remedy: "Take one out, and add a real backup."),
        FindingKind(
            "placeholder-pin", [.warning],
            "A pin is a placeholder or a value from documentation, and not the hash of a key.",
            remedy: "Replace it by the pin of a real key: holdfast pin FILE."),
        FindingKind(
            "unused-pin-set", [.warning],
            "No rule uses a pin set.",
            remedy: "Take it out, or name it in a rule."),
        FindingKind(
            "denied-pin", [.error],
            "A key is pinned and denied: denied wins.",
            remedy: "Take it out of one of the two lists."),
        FindingKind(
            "expires-soon", [.warning],
            "The pins end within thirty days; from then on the host is not pinned.",
            remedy: "Ship a policy with a later end."),
        FindingKind(
            "expired", [.warning],
            "The pins have ended: the host is not pinned.",
            remedy: "Ship a policy with a later end."),
        FindingKind(
            "certificate-pins-only", [.warning],
            "Only whole certificates are pinned: each renewal breaks that, and from 2029 on certificates live 47 days.",
            remedy: "Pin a key beside them: holdfast pin FILE."),
        FindingKind(
            "leaf-pins-only", [.warning],
            "One server key alone is pinned: the next key locks every client out.",
            remedy: "Pin a backup key, or a CA's key."),
        FindingKind(
            "raw-key-pin", [.note],
            "A pin is over the bare key, which openssl and other libraries do not print.",
            remedy: "Prefer the hash of the SubjectPublicKeyInfo."),
        FindingKind(
            "other-spelling", [.note],
            "A host is not in canonical form; libraries that compare bytes would not find it.",
            remedy: "Write the canonical form that the message gives."),
        FindingKind(
            "public-suffix", [.warning],
            "Subdomains of a name are included below which anyone can register.",
            remedy: "Pin the hosts below it that are yours."),
        FindingKind(
            "trustkit-refuses", [.warning],
            "TrustKit refuses IP addresses and single labels.",
            remedy: "Nothing for Holdfast; take the entry out for apps that still use TrustKit."),
        FindingKind(
            "unreachable-rule", [.warning],
            "A rule never counts.",
            remedy: "Take it out, or widen it."),
        FindingKind(
            "redundant-rule", [.note],
            "A rule asks what the rule for a parent asks anyway.",
            remedy: "Take it out."),
        FindingKind(
            "unpinned-by-omission", [.warning],
            "An entry without pins takes away those of a parent: the most specific entry counts.",
            remedy: "Put it inside the parent's domain-config (Android), or name its pin set."),
        FindingKind(
            "cleartext-report", [.warning],
            "Reports go over cleartext HTTP.",
            remedy: "Use an https URI."),
        FindingKind(
            "report-only", [.note],
            "A mismatch is only reported, and with no report URI nobody learns of it.",
            remedy: "Add a report URI, or enforce."),
        FindingKind(
            "raw-key-hash", [.error],
            "With a chain: the pin is the hash of the bare key, where the hash of the SubjectPublicKeyInfo is meant.",
            remedy: "Write the hash that the message gives."),
        FindingKind(
            "certificate-hash", [.error],
            "With a chain: the pin is the hash of the whole certificate.",
            remedy: "Write the hash that the message gives."),
        FindingKind(
            "spki-hash", [.error],
            "With a chain: the pin is the hash of the SubjectPublicKeyInfo, where something else is meant.",
            remedy: "Fix the pin's domain."),
        FindingKind(
            "chain-not-compared", [.warning],
            "With a chain: it was compared with nothing, because no rule with pins is for a name of its certificate.",
            remedy: "Add a rule for the server's host, or give the chain of a host that the policy pins."),
        FindingKind(
            "pin-not-in-chain", [.warning],
            "With a chain: no pin of the rule matches it.",
            remedy: "Pin a key of the chain, or check that it is the right chain."),
        FindingKind(
            "backup-in-chain", [.warning],
            "With a chain: all pins are keys of it, and none is kept elsewhere.",
            remedy: "Pin a key that is not in use."),
        FindingKind(
            "system-root-pin", [.warning],
            "The pin is the key of a system root, which signs for everyone.",
            remedy: "Pin an intermediate CA's key, or the server's with a backup."),
        FindingKind(
            "untrusted-certificates-allowed", [.error],
            "allowUntrustedSSLCertificate is on: every server is accepted.",
            remedy: "Take it out, and list the server's certificate."),
        FindingKind(
            "transport-security-differs", [.warning],
            "NSAppTransportSecurity of two Info.plists differs.",
            remedy: "Bring the two into line."),
        FindingKind(
            "single-certificate", [.warning],
            "A folder holds one key alone.",
            remedy: "Add the next certificate, or a CA's."),
        FindingKind(
            "no-certificate", [.error],
            "A folder holds no certificate: an app that pins it refuses every connection.",
            remedy: "Add at least two."),
        FindingKind(
            "duplicate-key", [.warning],
            "Two certificates of a folder have the same key.",
            remedy: "Add one with another key as a backup."),
        FindingKind(
            "pem-certificate", [.warning],
            "A certificate is PEM, where apps expect DER.",
            remedy: "Convert it: openssl x509 -in FILE -outform DER -out FILE.cer."),
        FindingKind(
            "unreadable-certificate", [.error],
            "A certificate cannot be read.",
            remedy: "Replace it."),
        FindingKind(
            "certificate-expired", [.warning],
            "A certificate has expired.",
            remedy: "Replace it, unless its key alone is pinned."),
        FindingKind(
            "certificate-expires-soon", [.warning],
            "A certificate expires within thirty days.",
            remedy: "Ship the next one now."),
        FindingKind(
            "certificate-not-yet-valid", [.warning],
            "A certificate is not valid yet.",
            remedy: "Check the clock, and the certificate."),
    ]
}
