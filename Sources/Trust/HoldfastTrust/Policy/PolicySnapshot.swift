/// A policy as it was in force at one moment.
public struct PolicySnapshot: Hashable, Sendable {
    /// The policy.
    public let policy: PinningPolicy
    /// Counts the policies that a holder has had, from 0. Connections that were judged under a lower one are to be judged
    /// again.
    public let revision: UInt64
    /// Until when the policy is fresh; `nil` for one that does not age. A stale one stays in force, and the verdicts say so.
    public let freshUntil: Timestamp?

    init(policy: PinningPolicy, revision: UInt64, freshUntil: Timestamp?) {
        self.policy = policy
        self.revision = revision
        self.freshUntil = freshUntil
    }

    /// What a verdict under a stale policy notes.
    func staleness(at time: Timestamp) -> TrustFinding? {
        guard let freshUntil, time > freshUntil else { return nil }
        var facts = TrustFacts()
        facts.notAfter = freshUntil
        facts.time = time
        return TrustFinding(
            .policyStale, "The policy was to be replaced by \(freshUntil); it stays in force.", facts: facts)
    }
}
