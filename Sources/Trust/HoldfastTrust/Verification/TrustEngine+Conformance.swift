extension TrustEngine {
    /// The verification with what conformance suites vary: no host at all, and a limit of intermediates.
    package func verify(
        _ chain: PresentedChain, host: CanonicalHost?, maximumIntermediates: Int? = nil, at time: Timestamp
    ) -> (finding: TrustFinding, path: VerifiedPath?) {
        let options = VerificationOptions(
            host: host, maximumIntermediates: maximumIntermediates, revocationLists: revocationLists, budget: budget)
        let outcome = Verification(anchors: anchors, options: options).run(chain, at: time)
        return (outcome.finding, outcome.path)
    }
}
