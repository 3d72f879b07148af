/// A policy as it was in force at one moment.
public struct PolicySnapshot: Hashable, Sendable {
    /// The policy.
    public let policy: PinningPolicy
    /// Counts the policies that a holder has had, from 0. Connections that were judged under a lower one are to be judged
    /// again.
    public let revision: UInt64

    init(policy: PinningPolicy, revision: UInt64) {
        self.policy = policy
        self.revision = revision
    }
}
