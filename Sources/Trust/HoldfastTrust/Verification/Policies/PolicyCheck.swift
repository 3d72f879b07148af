/// Processes the certificate policies of complete paths (RFC 5280, 6.1, with the policy graph of RFC 9618).
///
/// Extensions are read once for each certificate of a search. The graph is built only if a policy can be required on
/// the path: by the caller, or by `requireExplicitPolicy` in one of its certificates. For all other paths, the graph
/// cannot affect the result, and only the form of the extensions is checked.
///
/// A trust anchor is not part of the path in RFC 5280. Its `policyConstraints` and `inhibitAnyPolicy` apply
/// nevertheless, in the spirit of RFC 5937: they limit what the authority may issue. Its policies and mappings are not
/// processed.
struct PolicyCheck {
    /// A reason why a path is refused. The finding is created only for the reported one.
    enum Violation {
        /// No policy is valid for the path. The number is that of the certificate that requires one, or `nil` if the
        /// caller does.
        case noPolicy(requiredBy: Int?)
        /// A certificate has policy extensions that cannot be processed.
        case fault(PolicyContents.Fault, certificate: Int)
    }

    private var names = PolicyNames()
    private var contents: [Int: Result<PolicyContents, PolicyContents.Fault>] = [:]
    /// Whether each certificate is known to have readable extensions that require no policy. A search may complete
    /// thousands of paths, and most paths consist of such certificates.
    private var isPlain: [Bool] = []

    /// Returns the first violation on the path, leaf first, or `nil` if there is none. Throws if the budget is
    /// exhausted.
    mutating func violation(
        on path: [Int], of nodes: [CertificateView], _ inputs: CertificatePolicyInputs,
        cost: inout VerificationCost, budget: VerificationBudget
    ) throws(TrustFinding) -> Violation? {
        if !inputs.initialExplicitPolicy, isPlain(path, of: nodes) { return nil }
        var steps: [PolicyContents] = []
        var requiring: Int?
        for (index, number) in path.enumerated().reversed() {
            let isAnchor = index == path.count - 1 && index > 0
            switch read(number, nodes[number], isAnchor: isAnchor) {
            case .success(let contents):
                steps.append(contents)
                if contents.requireExplicitPolicy != nil {
                    requiring = requiring ?? number
                } else if !isAnchor {
                    if isPlain.count < nodes.count {
                        isPlain += Array(repeating: false, count: nodes.count - isPlain.count)
                    }
                    isPlain[number] = true
                }
            case .failure(let fault): return .fault(fault, certificate: number)
            }
        }
        guard requiring != nil || inputs.initialExplicitPolicy else { return nil }
        // A path of one certificate is an anchored server certificate. It is processed as the only one of a path.
        if path.count == 1 { steps.insert(PolicyContents(), at: 0) }
        let isSelfIssued = path.reversed().map { nodes[$0].isSelfIssued }.suffix(max(0, steps.count - 1))
        var run = PolicyRun(inputs, pathLength: steps.count - 1)
        if let anchor = steps.first { run.applyConstraints(of: anchor) }
        for (contents, isSelfIssued) in zip(steps.dropFirst(), isSelfIssued) {
            let before = run.graph.steps
            let isValid = run.process(contents, isSelfIssued: isSelfIssued)
            cost.policySteps += 1 + run.graph.steps - before
            guard cost.policySteps <= budget.policySteps else {
                throw .overBudget("policy steps", budget.policySteps)
            }
            guard isValid else { return .noPolicy(requiredBy: inputs.initialExplicitPolicy ? nil : requiring) }
        }
        let accepted = inputs.userInitialPolicySet.map { set in Set(set.map { names.number(of: $0.content[...]) }) }
        return run.isValid(for: accepted)
            ? nil : .noPolicy(requiredBy: inputs.initialExplicitPolicy ? nil : requiring)
    }

    private func isPlain(_ path: [Int], of nodes: [CertificateView]) -> Bool {
        for (index, number) in path.enumerated() {
            guard let extensions = nodes[number].parsed.extensions.policy else { continue }
            if number < isPlain.count, isPlain[number] { continue }
            // The policies and mappings of an anchor are not processed.
            let isAnchor = index == path.count - 1 && index > 0
            guard isAnchor, extensions.constraints == nil, extensions.anyPolicyInhibition == nil else { return false }
        }
        return true
    }

    private mutating func read(
        _ number: Int, _ certificate: CertificateView, isAnchor: Bool
    ) -> Result<PolicyContents, PolicyContents.Fault> {
        guard var extensions = certificate.parsed.extensions.policy else { return .success(PolicyContents()) }
        // The same certificate may be an anchor on one path and an intermediate on another one.
        let key = isAnchor ? ~number : number
        if let known = contents[key] { return known }
        if isAnchor { (extensions.policies, extensions.mappings) = (nil, nil) }
        let result: Result<PolicyContents, PolicyContents.Fault>
        do throws(PolicyContents.Fault) {
            result = .success(try PolicyContents(extensions, in: certificate.der, &names))
        } catch {
            result = .failure(error)
        }
        contents[key] = result
        return result
    }

    /// Returns the finding for a violation of a path.
    static func finding(_ violation: Violation, on path: [Int], of nodes: [CertificateView]) -> TrustFinding {
        switch violation {
        case .noPolicy(let number):
            let who = number.map { nodes[$0].subject } ?? "the caller"
            var facts = TrustFacts()
            facts.subject = path.first.map { nodes[$0].subject }
            facts.issuer = number.map { nodes[$0].subject }
            return TrustFinding(
                .certificatePolicy, "The path is not valid for a certificate policy, which \(who) requires.",
                facts: facts)
        case .fault(let fault, let number):
            let certificate = nodes[number]
            switch fault {
            case .malformed(let reason):
                return TrustFinding(
                    .malformedCertificate, "\(certificate.subject) is malformed: \(reason).", about: certificate)
            case .exceeded(let limit):
                var finding = TrustFinding(
                    .certificateLimitExceeded, "\(certificate.subject) exceeds a limit: \(limit.reason).",
                    about: certificate)
                finding.facts.limit = limit.count
                return finding
            case .unknownQualifier(let name):
                return TrustFinding(
                    .unhandledCriticalExtension,
                    "\(certificate.subject) has a critical policy extension with the unknown qualifier \(name).",
                    about: certificate)
            }
        }
    }
}

/// The state variables of path processing that concern policies (RFC 5280, 6.1.2).
private struct PolicyRun {
    var graph = PolicyGraph()
    private var explicitPolicy: Int
    private var policyMapping: Int
    private var inhibitAnyPolicy: Int
    /// The number of certificates that were not processed yet.
    private var remaining: Int

    init(_ inputs: CertificatePolicyInputs, pathLength: Int) {
        explicitPolicy = inputs.initialExplicitPolicy ? 0 : pathLength + 1
        policyMapping = inputs.initialPolicyMappingInhibit ? 0 : pathLength + 1
        inhibitAnyPolicy = inputs.initialAnyPolicyInhibit ? 0 : pathLength + 1
        remaining = pathLength
    }

    /// Applies the constraints of an authority to the certificates below it (RFC 5280, 6.1.4 (i), (j)).
    mutating func applyConstraints(of contents: PolicyContents) {
        if let limit = contents.requireExplicitPolicy { explicitPolicy = min(explicitPolicy, limit) }
        if let limit = contents.inhibitPolicyMapping { policyMapping = min(policyMapping, limit) }
        if let limit = contents.inhibitAnyPolicy { inhibitAnyPolicy = min(inhibitAnyPolicy, limit) }
    }

    /// Processes the next certificate below the anchor. Returns `false` if it needs a policy and has none.
    mutating func process(_ contents: PolicyContents, isSelfIssued: Bool) -> Bool {
        remaining -= 1
        let isLast = remaining == 0
        // 6.1.3 (d), (e), (f)
        if let policies = contents.policies, !graph.isEmpty {
            let isAnyAllowed = inhibitAnyPolicy > 0 || (!isLast && isSelfIssued)
            graph.add(policies, acceptsAnyPolicy: contents.hasAnyPolicy && isAnyAllowed)
        } else {
            graph.clear()
        }
        guard explicitPolicy > 0 || !graph.isEmpty else { return false }
        if isLast {
            // 6.1.5 (a), (b)
            explicitPolicy = max(0, explicitPolicy - 1)
            if contents.requireExplicitPolicy == 0 { explicitPolicy = 0 }
            return true
        }
        // 6.1.4 (b), (h)
        graph.map(contents.mappings, isAllowed: policyMapping > 0)
        if !isSelfIssued {
            explicitPolicy = max(0, explicitPolicy - 1)
            policyMapping = max(0, policyMapping - 1)
            inhibitAnyPolicy = max(0, inhibitAnyPolicy - 1)
        }
        applyConstraints(of: contents)
        return true
    }

    /// Returns whether the processed path is valid for the accepted policies; `nil` accepts any policy (RFC 5280, 6.1.5
    /// (g)).
    func isValid(for accepted: Set<Int>?) -> Bool {
        guard explicitPolicy == 0 else { return true }
        guard let accepted, !accepted.contains(PolicyNames.any) else { return !graph.isEmpty }
        let found = graph.authorityConstrainedPolicies()
        if found.contains(PolicyNames.any) { return !accepted.isEmpty }
        return !found.isDisjoint(with: accepted)
    }
}
