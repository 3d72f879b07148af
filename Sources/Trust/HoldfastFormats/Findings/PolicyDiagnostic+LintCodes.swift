public import HoldfastTrust

/// The codes of lint.
extension PolicyDiagnostic.Code {
    /// The file can be read, but is not a valid policy; the message gives the reason.
    public static let unusablePolicy = Self(rawValue: "unusable-policy")
    /// A policy has no effect: no rule with pins, denied key or anchor, and hosts without a rule are allowed.
    public static let emptyPolicy = Self(rawValue: "empty-policy")
    /// A host has one key and no backup; an error if the format requires one.
    public static let missingBackupPin = Self(rawValue: "missing-backup-pin")
    /// The whole policy pins only one key.
    public static let singlePin = Self(rawValue: "single-pin")
    /// A rule without pins refuses every connection.
    public static let noPins = Self(rawValue: "no-pins")
    /// A pin is listed twice.
    public static let duplicatePin = Self(rawValue: "duplicate-pin")
    /// A pin is a placeholder or an example from documentation, not the hash of a key.
    public static let placeholderPin = Self(rawValue: "placeholder-pin")
    /// No rule uses a pin set.
    public static let unusedPinSet = Self(rawValue: "unused-pin-set")
    /// A key is pinned and denied; the denial takes precedence.
    public static let deniedPin = Self(rawValue: "denied-pin")
    /// The pins expire within the notice period (thirty days by default); the host is not pinned afterwards.
    public static let expiresSoon = Self(rawValue: "expires-soon")
    /// The pins have expired: the host is not pinned.
    public static let expired = Self(rawValue: "expired")
    /// Only whole certificates are pinned; each renewal breaks them. From 2029, certificates last 47 days.
    public static let certificatePinsOnly = Self(rawValue: "certificate-pins-only")
    /// Only one server key is pinned: a new key locks out every client.
    public static let leafPinsOnly = Self(rawValue: "leaf-pins-only")
    /// A pin is the hash of the bare key, which openssl and other libraries do not print.
    public static let rawKeyPin = Self(rawValue: "raw-key-pin")
    /// A host is not in canonical form; libraries that compare bytes do not find it.
    public static let otherSpelling = Self(rawValue: "other-spelling")
    /// A rule includes the subdomains of a public suffix, under which anyone can register names.
    public static let publicSuffix = Self(rawValue: "public-suffix")
    /// TrustKit refuses IP addresses and single-label hosts.
    public static let trustKitRefuses = Self(rawValue: "trustkit-refuses")
    /// A rule never applies.
    public static let unreachableRule = Self(rawValue: "unreachable-rule")
    /// A rule has the same requirements as the rule for a parent.
    public static let redundantRule = Self(rawValue: "redundant-rule")
    /// An entry without pins overrides the pins of a parent, because the most specific entry applies.
    public static let unpinnedByOmission = Self(rawValue: "unpinned-by-omission")
    /// Reports are sent over cleartext HTTP.
    public static let cleartextReport = Self(rawValue: "cleartext-report")
    /// Mismatches are only reported, but there is no report URI.
    public static let reportOnly = Self(rawValue: "report-only")
    /// With a chain: the pin is the hash of the bare key, not of the SubjectPublicKeyInfo.
    public static let rawKeyHash = Self(rawValue: "raw-key-hash")
    /// With a chain: the pin is the hash of the whole certificate, not of its key.
    public static let certificateHash = Self(rawValue: "certificate-hash")
    /// With a chain: the pin is the hash of the SubjectPublicKeyInfo, but is declared as another kind of hash.
    public static let spkiHash = Self(rawValue: "spki-hash")
    /// With a chain: the chain was not compared, because no rule with pins covers a name in its certificate.
    public static let chainNotCompared = Self(rawValue: "chain-not-compared")
    /// With a chain: no pin of the rule matches it.
    public static let pinNotInChain = Self(rawValue: "pin-not-in-chain")
    /// With a chain: every pin is a key of the chain, so there is no backup that is stored elsewhere.
    public static let backupInChain = Self(rawValue: "backup-in-chain")
    /// The pin is the key of a system root, which issues certificates for everyone.
    public static let systemRootPin = Self(rawValue: "system-root-pin")
    /// allowUntrustedSSLCertificate is enabled: every server is accepted.
    public static let untrustedCertificatesAllowed = Self(rawValue: "untrusted-certificates-allowed")
    /// NSAppTransportSecurity differs between two Info.plist files.
    public static let transportSecurityDiffers = Self(rawValue: "transport-security-differs")
    /// The certificates in a folder have only one key.
    public static let singleCertificate = Self(rawValue: "single-certificate")
    /// A folder contains no certificates: an app that pins it refuses every connection.
    public static let noCertificate = Self(rawValue: "no-certificate")
    /// Two certificates in a folder have the same key.
    public static let duplicateKey = Self(rawValue: "duplicate-key")
    /// A certificate is in PEM, but apps expect DER.
    public static let pemCertificate = Self(rawValue: "pem-certificate")
    /// A certificate cannot be read.
    public static let unreadableCertificate = Self(rawValue: "unreadable-certificate")
    /// A certificate has expired.
    public static let certificateExpired = Self(rawValue: "certificate-expired")
    /// A certificate expires within the notice period (thirty days by default).
    public static let certificateExpiresSoon = Self(rawValue: "certificate-expires-soon")
    /// A certificate is not yet valid.
    public static let certificateNotYetValid = Self(rawValue: "certificate-not-yet-valid")
}
