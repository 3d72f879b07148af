import HoldfastTrust

/// Judges cases with the trust engine.
enum HoldfastJudge {
    /// Returns the code of the finding, and whether the engine accepts the case.
    static func judge(_ item: DifferentialCase) throws -> (code: String, isAccepted: Bool) {
        let lists: [RevocationList]
        do { lists = try item.lists.map { try RevocationList(der: $0) } } catch {
            return ("unreadable list", false)
        }
        let host = try CanonicalHost(item.host)
        let anchors = item.anchors.compactMap { try? CertificateView(der: $0) }
        var engine = TrustEngine(anchors: .only(anchors))
        engine.revocationLists = lists
        engine.requiresRevocationLists = item.kind == .lists
        engine.certificatePolicies = try inputs(item.policies)
        engine.transparencyLogs = item.transparencyLogs
        let chain = PresentedChain(der: item.chain)
        let subject = TrustSubject(host: host)
        guard item.kind == .timestamps else {
            let finding = engine.evaluate(chain, for: subject, at: item.time).finding
            return (finding.code.rawValue, finding.isFavourable)
        }
        let policy = try PinningPolicy(
            name: "differential",
            rules: [.requiringTransparency(HostPattern(host, depth: .exact), .chrome)])
        let verdict = engine.evaluate(chain, for: subject, at: item.time, under: policy)
        let isAccepted = verdict.permitsConnection && verdict.systemFinding?.isFavourable == true
        return (verdict.finding.code.rawValue, isAccepted)
    }

    private static func inputs(_ policies: DifferentialCase.Policies) throws -> CertificatePolicyInputs {
        var inputs = CertificatePolicyInputs()
        inputs.initialExplicitPolicy = policies.explicit
        inputs.initialPolicyMappingInhibit = policies.inhibitMapping
        inputs.initialAnyPolicyInhibit = policies.inhibitAny
        if let accepted = policies.accepted {
            inputs.userInitialPolicySet = Set(try accepted.map { try CertificatePolicyIdentifier($0) })
        }
        return inputs
    }
}
