public import HoldfastTrust

/// The codes of what a conversion loses or changes.
extension PolicyDiagnostic.Code {
    /// No pin of a rule can be written: its hosts would not be pinned.
    public static let ruleLost = Self(rawValue: "rule-lost")
    /// A pin cannot be expressed: it is not the hash of a SubjectPublicKeyInfo, or is for a CA where leaves are
    /// compared.
    public static let pinLost = Self(rawValue: "pin-lost")
    /// The rule covers more hosts than before.
    public static let depthWidened = Self(rawValue: "depth-widened")
    /// Hosts further below are no longer pinned.
    public static let depthNarrowed = Self(rawValue: "depth-narrowed")
    /// Pins for a leaf or a CA match anywhere on the path.
    public static let scopeWidened = Self(rawValue: "scope-widened")
    /// Pins match the server's own key alone.
    public static let scopeNarrowed = Self(rawValue: "scope-narrowed")
    /// Pins that matched anywhere become CA or leaf identities.
    public static let scopeChosen = Self(rawValue: "scope-chosen")
    /// One match will do where a certain one, or several, were needed.
    public static let everyScopeLost = Self(rawValue: "every-scope-lost")
    /// A leaf and a CA must both match, where one would do.
    public static let bothScopesNeeded = Self(rawValue: "both-scopes-needed")
    /// The target refuses a rule with so few pins.
    public static let backupPinNeeded = Self(rawValue: "backup-pin-needed")
    /// The pins never end in the target.
    public static let expiryLost = Self(rawValue: "expiry-lost")
    /// The pins end at the beginning of the next day.
    public static let expiryRounded = Self(rawValue: "expiry-rounded")
    /// The header needs a max-age, and sixty days are written.
    public static let ageChosen = Self(rawValue: "age-chosen")
    /// A mismatch was only reported, and will be refused.
    public static let reportOnlyLost = Self(rawValue: "report-only-lost")
    /// Report URIs cannot be expressed.
    public static let reportURIsLost = Self(rawValue: "report-uris-lost")
    /// A host cannot be left out; for curl, nothing is left to write.
    public static let exclusionLost = Self(rawValue: "exclusion-lost")
    /// Fewer hosts are left out than before.
    public static let exclusionNarrowed = Self(rawValue: "exclusion-narrowed")
    /// A host is left out of nothing, and is not written.
    public static let needlessExclusion = Self(rawValue: "needless-exclusion")
    /// An entry pins nothing where entries add up, and is left out.
    public static let entryWithoutPins = Self(rawValue: "entry-without-pins")
    /// Rules that added up become rules of which one counts, with the same effect.
    public static let precedenceFlattened = Self(rawValue: "precedence-flattened")
    /// Other rules count for a host than before.
    public static let precedenceChanged = Self(rawValue: "precedence-changed")
    /// A rule that let nothing pass is overruled by another.
    public static let refusalLost = Self(rawValue: "refusal-lost")
    /// Two rules for one host become one, with the pins of both.
    public static let merged = Self(rawValue: "merged")
    /// Denied keys would be accepted.
    public static let denyLost = Self(rawValue: "deny-lost")
    /// Keys are denied only for the hosts that are listed.
    public static let denyNarrowed = Self(rawValue: "deny-narrowed")
    /// Hosts without a rule would no longer be refused.
    public static let unlistedHostsLost = Self(rawValue: "unlisted-hosts-lost")
    /// Trust anchors cannot be expressed; an error where they were the only ones.
    public static let anchorsLost = Self(rawValue: "anchors-lost")
    /// The target holds for one host, and the policy has several.
    public static let severalHosts = Self(rawValue: "several-hosts")
    /// No rule covers the host.
    public static let noRule = Self(rawValue: "no-rule")
    /// Only the rule of one host is written.
    public static let otherHosts = Self(rawValue: "other-hosts")
    /// Names of pin sets are not written.
    public static let namesLost = Self(rawValue: "names-lost")
    /// Comments are not written.
    public static let commentsLost = Self(rawValue: "comments-lost")
    /// Hashes stand in the place of Chromium's key names.
    public static let keyNames = Self(rawValue: "key-names")
}
