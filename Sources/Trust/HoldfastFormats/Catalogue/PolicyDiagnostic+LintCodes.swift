public import HoldfastTrust

/// The codes of what lint finds.
extension PolicyDiagnostic.Code {
    /// The file can be read, and no policy can be made of it; the message says why.
    public static let unusablePolicy = Self(rawValue: "unusable-policy")
    /// A policy asks for nothing: no rule with pins, denied key or anchor, and hosts without a rule are allowed.
    public static let emptyPolicy = Self(rawValue: "empty-policy")
    /// A host has one key and no backup; an error where the format needs one.
    public static let missingBackupPin = Self(rawValue: "missing-backup-pin")
    /// The whole policy rests on one key.
    public static let singlePin = Self(rawValue: "single-pin")
    /// A rule refuses every connection.
    public static let noPins = Self(rawValue: "no-pins")
    /// A pin is listed twice.
    public static let duplicatePin = Self(rawValue: "duplicate-pin")
    /// A pin is a placeholder or a value from documentation, and not the hash of a key.
    public static let placeholderPin = Self(rawValue: "placeholder-pin")
    /// No rule uses a pin set.
    public static let unusedPinSet = Self(rawValue: "unused-pin-set")
    /// A key is pinned and denied: denied wins.
    public static let deniedPin = Self(rawValue: "denied-pin")
    /// The pins end within thirty days; from then on the host is not pinned.
    public static let expiresSoon = Self(rawValue: "expires-soon")
    /// The pins have ended: the host is not pinned.
    public static let expired = Self(rawValue: "expired")
    /// Only whole certificates are pinned: each renewal breaks that, and from 2029 on certificates live 47 days.
    public static let certificatePinsOnly = Self(rawValue: "certificate-pins-only")
    /// One server key alone is pinned: the next key locks every client out.
    public static let leafPinsOnly = Self(rawValue: "leaf-pins-only")
    /// A pin is over the bare key, which openssl and other libraries do not print.
    public static let rawKeyPin = Self(rawValue: "raw-key-pin")
    /// A host is not in canonical form; libraries that compare bytes would not find it.
    public static let otherSpelling = Self(rawValue: "other-spelling")
    /// Subdomains of a name are included below which anyone can register.
    public static let publicSuffix = Self(rawValue: "public-suffix")
    /// TrustKit refuses IP addresses and single labels.
    public static let trustKitRefuses = Self(rawValue: "trustkit-refuses")
    /// A rule never counts.
    public static let unreachableRule = Self(rawValue: "unreachable-rule")
    /// A rule asks what the rule for a parent asks anyway.
    public static let redundantRule = Self(rawValue: "redundant-rule")
    /// An entry without pins takes away those of a parent: the most specific entry counts.
    public static let unpinnedByOmission = Self(rawValue: "unpinned-by-omission")
    /// Reports go over cleartext HTTP.
    public static let cleartextReport = Self(rawValue: "cleartext-report")
    /// A mismatch is only reported, and with no report URI nobody learns of it.
    public static let reportOnly = Self(rawValue: "report-only")
    /// With a chain: the pin is the hash of the bare key, where the hash of the SubjectPublicKeyInfo is meant.
    public static let rawKeyHash = Self(rawValue: "raw-key-hash")
    /// With a chain: the pin is the hash of the whole certificate.
    public static let certificateHash = Self(rawValue: "certificate-hash")
    /// With a chain: the pin is the hash of the SubjectPublicKeyInfo, where something else is meant.
    public static let spkiHash = Self(rawValue: "spki-hash")
    /// With a chain: it was compared with nothing, because no rule with pins is for a name of its certificate.
    public static let chainNotCompared = Self(rawValue: "chain-not-compared")
    /// With a chain: no pin of the rule matches it.
    public static let pinNotInChain = Self(rawValue: "pin-not-in-chain")
    /// With a chain: all pins are keys of it, and none is kept elsewhere.
    public static let backupInChain = Self(rawValue: "backup-in-chain")
    /// The pin is the key of a system root, which signs for everyone.
    public static let systemRootPin = Self(rawValue: "system-root-pin")
    /// allowUntrustedSSLCertificate is on: every server is accepted.
    public static let untrustedCertificatesAllowed = Self(rawValue: "untrusted-certificates-allowed")
    /// NSAppTransportSecurity of two Info.plists differs.
    public static let transportSecurityDiffers = Self(rawValue: "transport-security-differs")
    /// A folder holds one key alone.
    public static let singleCertificate = Self(rawValue: "single-certificate")
    /// A folder holds no certificate: an app that pins it refuses every connection.
    public static let noCertificate = Self(rawValue: "no-certificate")
    /// Two certificates of a folder have the same key.
    public static let duplicateKey = Self(rawValue: "duplicate-key")
    /// A certificate is PEM, where apps expect DER.
    public static let pemCertificate = Self(rawValue: "pem-certificate")
    /// A certificate cannot be read.
    public static let unreadableCertificate = Self(rawValue: "unreadable-certificate")
    /// A certificate has expired.
    public static let certificateExpired = Self(rawValue: "certificate-expired")
    /// A certificate expires within thirty days.
    public static let certificateExpiresSoon = Self(rawValue: "certificate-expires-soon")
    /// A certificate is not valid yet.
    public static let certificateNotYetValid = Self(rawValue: "certificate-not-yet-valid")
}
