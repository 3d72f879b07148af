/// What follows from a finding under a policy.
public enum TrustDecision: String, Hashable, Sendable, CaseIterable {
    /// The connection may be used.
    case allow
    /// The connection must be refused.
    case block
    /// No pin applies: the policy is absent, expired or excludes this host. This is *never* an allow by itself; look at
    /// ``TrustVerdict/systemFinding``, or ask ``TrustVerdict/permitsConnection``.
    case notPinned
}
