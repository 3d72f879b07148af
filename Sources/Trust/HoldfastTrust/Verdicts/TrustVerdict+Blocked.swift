extension TrustVerdict {
    /// A refusal that no evaluation led to.
    package static func blocked(
        _ finding: TrustFinding, _ chain: PresentedChain, _ subject: TrustSubject?, _ time: Timestamp, name: String
    ) -> TrustVerdict {
        TrustVerdict(
            decision: .block, finding: finding, subject: subject, policyName: name,
            presented: chain, time: time)
    }

    /// A refusal because the configured pins cannot be used.
    static func unusable(
        _ reason: String, _ chain: PresentedChain, _ subject: TrustSubject, _ time: Timestamp, name: String
    ) -> TrustVerdict {
        blocked(TrustFinding(.noUsablePins, reason), chain, subject, time, name: name)
    }
}
