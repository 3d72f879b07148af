import HoldfastTrust

extension FindingKind {
    /// The additional findings of lint.
    static let linting: [FindingKind] = [
        FindingKind(
            .unusablePolicy, [.error],
            "The file can be read, but is not a valid policy; the message gives the reason.",
            remedy: "Follow the message."),
        FindingKind(
            .emptyPolicy, [.error],
            "A policy has no effect: no rule with pins, denied key or anchor, and hosts without a rule are allowed.",
            remedy: "Add a rule with pins."),
        FindingKind(
            .missingBackupPin, [.error, .warning],
            "A host has one key and no backup; an error if the format requires one.",
            remedy: "Pin a second key that is stored elsewhere, or the key of a CA."),
        FindingKind(
            .singlePin, [.warning],
            "The whole policy pins only one key.",
            remedy: "Pin a backup key that is stored elsewhere."),
        FindingKind(
            .noPins, [.warning],
            "A rule without pins refuses every connection.",
            remedy: "Add pins, or exclude the host."),
        FindingKind(
            .duplicatePin, [.warning],
            "A pin is listed twice.",
            remedy: "Remove one, and add a real backup pin."),
        FindingKind(
            .placeholderPin, [.warning],
            "A pin is a placeholder or an example from documentation, not the hash of a key.",
            remedy: "Replace it with the pin of a real key: holdfast pin FILE."),
        FindingKind(
            .unusedPinSet, [.warning],
            "No rule uses a pin set.",
            remedy: "Remove the pin set, or use it in a rule."),
        FindingKind(
            .deniedPin, [.error],
            "A key is pinned and denied; the denial takes precedence.",
            remedy: "Remove it from one of the two lists."),
        FindingKind(
            .expiresSoon, [.warning],
            "The pins expire within the notice period (thirty days by default); the host is not pinned afterwards.",
            remedy: "Ship a policy with a later expiry."),
        FindingKind(
            .expired, [.warning],
            "The pins have expired: the host is not pinned.",
            remedy: "Ship a policy with a later expiry."),
        FindingKind(
            .certificatePinsOnly, [.warning],
            "Only whole certificates are pinned; each renewal breaks them. From 2029, certificates last 47 days.",
            remedy: "Also pin a key: holdfast pin FILE."),
        FindingKind(
            .leafPinsOnly, [.warning],
            "Only one server key is pinned: a new key locks out every client.",
            remedy: "Pin a backup key, or the key of a CA."),
        FindingKind(
            .rawKeyPin, [.note],
            "A pin is the hash of the bare key, which openssl and other libraries do not print.",
            remedy: "Prefer the hash of the SubjectPublicKeyInfo."),
        FindingKind(
            .otherSpelling, [.note],
            "A host is not in canonical form; libraries that compare bytes do not find it.",
            remedy: "Write the canonical form that the message gives."),
        FindingKind(
            .publicSuffix, [.warning],
            "A rule includes the subdomains of a public suffix, under which anyone can register names.",
            remedy: "Pin only your own hosts under it."),
        FindingKind(
            .trustKitRefuses, [.warning],
            "TrustKit refuses IP addresses and single-label hosts.",
            remedy: "None for Holdfast; remove the entry for apps that still use TrustKit."),
        FindingKind(
            .unreachableRule, [.warning],
            "A rule never applies.",
            remedy: "Remove it, or widen it."),
        FindingKind(
            .redundantRule, [.note],
            "A rule has the same requirements as the rule for a parent.",
            remedy: "Remove it."),
        FindingKind(
            .unpinnedByOmission, [.warning],
            "An entry without pins overrides the pins of a parent, because the most specific entry applies.",
            remedy: "Put it inside the parent's domain-config (Android), or name its pin set."),
        FindingKind(
            .cleartextReport, [.warning],
            "Reports are sent over cleartext HTTP.",
            remedy: "Use an https URI."),
        FindingKind(
            .reportOnly, [.note],
            "Mismatches are only reported, but there is no report URI.",
            remedy: "Add a report URI, or enforce the pins."),
        FindingKind(
            .rawKeyHash, [.error],
            "With a chain: the pin is the hash of the bare key, not of the SubjectPublicKeyInfo.",
            remedy: "Write the hash that the message gives."),
        FindingKind(
            .certificateHash, [.error],
            "With a chain: the pin is the hash of the whole certificate, not of its key.",
            remedy: "Write the hash that the message gives."),
        FindingKind(
            .spkiHash, [.error],
            "With a chain: the pin is the hash of the SubjectPublicKeyInfo, but is declared as another kind of hash.",
            remedy: "Fix the kind of the pin."),
        FindingKind(
            .chainNotCompared, [.warning],
            "With a chain: the chain was not compared, because no rule with pins covers a name in its certificate.",
            remedy: "Add a rule for the server's host, or provide the chain of a host that the policy pins."),
        FindingKind(
            .pinNotInChain, [.warning],
            "With a chain: no pin of the rule matches it.",
            remedy: "Pin a key of the chain, or check that it is the right chain."),
        FindingKind(
            .backupInChain, [.warning],
            "With a chain: every pin is a key of the chain, so there is no backup that is stored elsewhere.",
            remedy: "Pin a key that is not in use."),
        FindingKind(
            .systemRootPin, [.warning],
            "The pin is the key of a system root, which issues certificates for everyone.",
            remedy: "Pin the key of an intermediate CA, or the server's key with a backup."),
        FindingKind(
            .untrustedCertificatesAllowed, [.error],
            "allowUntrustedSSLCertificate is enabled: every server is accepted.",
            remedy: "Remove it, and list the server's certificate."),
        FindingKind(
            .transportSecurityDiffers, [.warning],
            "NSAppTransportSecurity differs between two Info.plist files.",
            remedy: "Make the two files consistent."),
        FindingKind(
            .singleCertificate, [.warning],
            "The certificates in a folder have only one key.",
            remedy: "Add the next certificate, or the certificate of a CA."),
        FindingKind(
            .noCertificate, [.error],
            "A folder contains no certificates: an app that pins it refuses every connection.",
            remedy: "Add at least two certificates."),
        FindingKind(
            .duplicateKey, [.warning],
            "Two certificates in a folder have the same key.",
            remedy: "Add a certificate with another key as a backup."),
        FindingKind(
            .pemCertificate, [.warning],
            "A certificate is in PEM, but apps expect DER.",
            remedy: "Convert it: openssl x509 -in FILE -outform DER -out FILE.cer."),
        FindingKind(
            .unreadableCertificate, [.error],
            "A certificate cannot be read.",
            remedy: "Replace it."),
        FindingKind(
            .certificateExpired, [.warning],
            "A certificate has expired.",
            remedy: "Replace it, unless only its key is pinned."),
        FindingKind(
            .certificateExpiresSoon, [.warning],
            "A certificate expires within the notice period (thirty days by default).",
            remedy: "Ship the next certificate now."),
        FindingKind(
            .certificateNotYetValid, [.warning],
            "A certificate is not yet valid.",
            remedy: "Check the clock and the certificate."),
    ]
}
