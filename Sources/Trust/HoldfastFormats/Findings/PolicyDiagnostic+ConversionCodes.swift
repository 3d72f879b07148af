public import HoldfastTrust

/// The codes for what a conversion loses or changes.
extension PolicyDiagnostic.Code {
    /// No pin of a rule can be written: its hosts would not be pinned.
    public static let ruleLost = Self(rawValue: "rule-lost")
    /// A pin cannot be expressed: it is not an SPKI hash, or it is for a CA and the target compares only leaves.
    public static let pinLost = Self(rawValue: "pin-lost")
    /// The rule covers more hosts than before.
    public static let depthWidened = Self(rawValue: "depth-widened")
    /// Subdomains at deeper levels are no longer pinned.
    public static let depthNarrowed = Self(rawValue: "depth-narrowed")
    /// Pins for a leaf or a CA match any certificate of the path.
    public static let scopeWidened = Self(rawValue: "scope-widened")
    /// Pins match only the server's own key.
    public static let scopeNarrowed = Self(rawValue: "scope-narrowed")
    /// Pins without a scope become CA or leaf identities.
    public static let scopeChosen = Self(rawValue: "scope-chosen")
    /// One match is enough where a certain scope, or several scopes, had to match.
    public static let everyScopeLost = Self(rawValue: "every-scope-lost")
    /// A leaf and a CA must both match, where one match was enough.
    public static let bothScopesNeeded = Self(rawValue: "both-scopes-needed")
    /// The target refuses a rule with this number of pins.
    public static let backupPinNeeded = Self(rawValue: "backup-pin-needed")
    /// The pins do not expire in the target.
    public static let expiryLost = Self(rawValue: "expiry-lost")
    /// The pins expire at the beginning of the next day.
    public static let expiryRounded = Self(rawValue: "expiry-rounded")
    /// The header requires a max-age; sixty days are written.
    public static let ageChosen = Self(rawValue: "age-chosen")
    /// A mismatch was only reported, and will now be refused.
    public static let reportOnlyLost = Self(rawValue: "report-only-lost")
    /// Report URIs cannot be expressed.
    public static let reportURIsLost = Self(rawValue: "report-uris-lost")
    /// A host cannot be excluded; for curl, there is nothing to write.
    public static let exclusionLost = Self(rawValue: "exclusion-lost")
    /// Fewer hosts are excluded than before.
    public static let exclusionNarrowed = Self(rawValue: "exclusion-narrowed")
    /// An excluded host is not covered by any rule, and is not written.
    public static let needlessExclusion = Self(rawValue: "needless-exclusion")
    /// An entry without pins has no effect where entries are combined, and is not written.
    public static let entryWithoutPins = Self(rawValue: "entry-without-pins")
    /// Rules that were combined become separate rules with the same effect.
    public static let precedenceFlattened = Self(rawValue: "precedence-flattened")
    /// Other rules apply to a host than before.
    public static let precedenceChanged = Self(rawValue: "precedence-changed")
    /// Another rule overrides a rule that refused every connection.
    public static let refusalLost = Self(rawValue: "refusal-lost")
    /// Two rules for one host are merged, with the pins of both.
    public static let merged = Self(rawValue: "merged")
    /// Denied keys would be accepted.
    public static let denyLost = Self(rawValue: "deny-lost")
    /// Keys are denied only for the listed hosts.
    public static let denyNarrowed = Self(rawValue: "deny-narrowed")
    /// Hosts without a rule would no longer be refused.
    public static let unlistedHostsLost = Self(rawValue: "unlisted-hosts-lost")
    /// Trust anchors cannot be expressed; an error if they replaced the system's anchors.
    public static let anchorsLost = Self(rawValue: "anchors-lost")
    /// The target describes one host, but the policy has several.
    public static let severalHosts = Self(rawValue: "several-hosts")
    /// No rule covers the host.
    public static let noRule = Self(rawValue: "no-rule")
    /// Only the rule of one host is written.
    public static let otherHosts = Self(rawValue: "other-hosts")
    /// The names of pin sets are not written.
    public static let namesLost = Self(rawValue: "names-lost")
    /// Comments are not written.
    public static let commentsLost = Self(rawValue: "comments-lost")
    /// Required certificate timestamps cannot be expressed.
    public static let transparencyLost = Self(rawValue: "transparency-lost")
    /// The requirement of certificate timestamps becomes that of the target.
    public static let transparencyChanged = Self(rawValue: "transparency-changed")
    /// Hashes are written instead of Chromium's key names.
    public static let keyNames = Self(rawValue: "key-names")
}
