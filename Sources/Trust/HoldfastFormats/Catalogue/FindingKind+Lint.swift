import HoldfastTrust

extension FindingKind {
    /// What lint finds beside.
    static let linting: [FindingKind] = [
        FindingKind(
            .unusablePolicy, [.error],
            "The file can be read, and no policy can be made of it; the message says why.",
            remedy: "Do what the message asks for."),
        FindingKind(
            .emptyPolicy, [.error],
            "A policy asks for nothing: no rule with pins, denied key or anchor, and hosts without a rule are allowed.",
            remedy: "Add a rule with pins."),
        FindingKind(
            .missingBackupPin, [.error, .warning],
            "A host has one key and no backup; an error where the format needs one.",
            remedy: "Pin a second key that is kept elsewhere, or a CA's."),
        FindingKind(
            .singlePin, [.warning],
            "The whole policy rests on one key.",
            remedy: "Pin a backup key that is kept elsewhere."),
        FindingKind(
            .noPins, [.warning],
            "A rule refuses every connection.",
            remedy: "Add pins, or exclude the host."),
        FindingKind(
            .duplicatePin, [.warning],
            "A pin is listed twice.",
            remedy: "Take one out, and add a real backup."),
        FindingKind(
            .placeholderPin, [.warning],
            "A pin is a placeholder or a value from documentation, and not the hash of a key.",
            remedy: "Replace it by the pin of a real key: holdfast pin FILE."),
        FindingKind(
            .unusedPinSet, [.warning],
            "No rule uses a pin set.",
            remedy: "Take it out, or name it in a rule."),
        FindingKind(
            .deniedPin, [.error],
            "A key is pinned and denied: denied wins.",
            remedy: "Take it out of one of the two lists."),
        FindingKind(
            .expiresSoon, [.warning],
            "The pins end within thirty days; from then on the host is not pinned.",
            remedy: "Ship a policy with a later end."),
        FindingKind(
            .expired, [.warning],
            "The pins have ended: the host is not pinned.",
            remedy: "Ship a policy with a later end."),
        FindingKind(
            .certificatePinsOnly, [.warning],
            "Only whole certificates are pinned: each renewal breaks that, and from 2029 on certificates live 47 days.",
            remedy: "Pin a key beside them: holdfast pin FILE."),
        FindingKind(
            .leafPinsOnly, [.warning],
            "One server key alone is pinned: the next key locks every client out.",
            remedy: "Pin a backup key, or a CA's key."),
        FindingKind(
            .rawKeyPin, [.note],
            "A pin is over the bare key, which openssl and other libraries do not print.",
            remedy: "Prefer the hash of the SubjectPublicKeyInfo."),
        FindingKind(
            .otherSpelling, [.note],
            "A host is not in canonical form; libraries that compare bytes would not find it.",
            remedy: "Write the canonical form that the message gives."),
        FindingKind(
            .publicSuffix, [.warning],
            "Subdomains of a name are included below which anyone can register.",
            remedy: "Pin the hosts below it that are yours."),
        FindingKind(
            .trustKitRefuses, [.warning],
            "TrustKit refuses IP addresses and single labels.",
            remedy: "Nothing for Holdfast; take the entry out for apps that still use TrustKit."),
        FindingKind(
            .unreachableRule, [.warning],
            "A rule never counts.",
            remedy: "Take it out, or widen it."),
        FindingKind(
            .redundantRule, [.note],
            "A rule asks what the rule for a parent asks anyway.",
            remedy: "Take it out."),
        FindingKind(
            .unpinnedByOmission, [.warning],
            "An entry without pins takes away those of a parent: the most specific entry counts.",
            remedy: "Put it inside the parent's domain-config (Android), or name its pin set."),
        FindingKind(
            .cleartextReport, [.warning],
            "Reports go over cleartext HTTP.",
            remedy: "Use an https URI."),
        FindingKind(
            .reportOnly, [.note],
            "A mismatch is only reported, and with no report URI nobody learns of it.",
            remedy: "Add a report URI, or enforce."),
        FindingKind(
            .rawKeyHash, [.error],
            "With a chain: the pin is the hash of the bare key, where the hash of the SubjectPublicKeyInfo is meant.",
            remedy: "Write the hash that the message gives."),
        FindingKind(
            .certificateHash, [.error],
            "With a chain: the pin is the hash of the whole certificate.",
            remedy: "Write the hash that the message gives."),
        FindingKind(
            .spkiHash, [.error],
            "With a chain: the pin is the hash of the SubjectPublicKeyInfo, where something else is meant.",
            remedy: "Fix the pin's domain."),
        FindingKind(
            .chainNotCompared, [.warning],
            "With a chain: it was compared with nothing, because no rule with pins is for a name of its certificate.",
            remedy: "Add a rule for the server's host, or give the chain of a host that the policy pins."),
        FindingKind(
            .pinNotInChain, [.warning],
            "With a chain: no pin of the rule matches it.",
            remedy: "Pin a key of the chain, or check that it is the right chain."),
        FindingKind(
            .backupInChain, [.warning],
            "With a chain: all pins are keys of it, and none is kept elsewhere.",
            remedy: "Pin a key that is not in use."),
        FindingKind(
            .systemRootPin, [.warning],
            "The pin is the key of a system root, which signs for everyone.",
            remedy: "Pin an intermediate CA's key, or the server's with a backup."),
        FindingKind(
            .untrustedCertificatesAllowed, [.error],
            "allowUntrustedSSLCertificate is on: every server is accepted.",
            remedy: "Take it out, and list the server's certificate."),
        FindingKind(
            .transportSecurityDiffers, [.warning],
            "NSAppTransportSecurity of two Info.plists differs.",
            remedy: "Bring the two into line."),
        FindingKind(
            .singleCertificate, [.warning],
            "A folder holds one key alone.",
            remedy: "Add the next certificate, or a CA's."),
        FindingKind(
            .noCertificate, [.error],
            "A folder holds no certificate: an app that pins it refuses every connection.",
            remedy: "Add at least two."),
        FindingKind(
            .duplicateKey, [.warning],
            "Two certificates of a folder have the same key.",
            remedy: "Add one with another key as a backup."),
        FindingKind(
            .pemCertificate, [.warning],
            "A certificate is PEM, where apps expect DER.",
            remedy: "Convert it: openssl x509 -in FILE -outform DER -out FILE.cer."),
        FindingKind(
            .unreadableCertificate, [.error],
            "A certificate cannot be read.",
            remedy: "Replace it."),
        FindingKind(
            .certificateExpired, [.warning],
            "A certificate has expired.",
            remedy: "Replace it, unless its key alone is pinned."),
        FindingKind(
            .certificateExpiresSoon, [.warning],
            "A certificate expires within thirty days.",
            remedy: "Ship the next one now."),
        FindingKind(
            .certificateNotYetValid, [.warning],
            "A certificate is not valid yet.",
            remedy: "Check the clock, and the certificate."),
    ]
}
