/// Evaluates presented chains and returns verdicts. A synchronous function of its arguments that is safe to call from
/// any thread.
public struct TrustEngine: Sendable {
    /// The certificates in which paths may end.
    public var anchors: TrustAnchors
    /// The limits of an evaluation.
    public var budget: VerificationBudget
    /// The revocation lists in which the certificates of a path are looked up. If all lists that cover a certificate
    /// cannot be used because of their signature, their age or an unsupported extension, its paths are refused.
    ///
    /// A list covers the certificates of its issuer's name that belong to its distribution point and its kind (RFC
    /// 5280, 6.3.3). A list that another key of the same name signed neither counts nor refuses.
    public var revocationLists: [RevocationList]
    /// Whether each certificate below the anchor needs a list that covers it. By default, a certificate without a list
    /// passes.
    public var requiresRevocationLists: Bool
    /// The inputs for certificate policies (RFC 5280, 6.1.1). The default accepts any policy.
    public var certificatePolicies: CertificatePolicyInputs
    /// The certificate transparency logs. Without them, a server is refused if the policy requires certificate
    /// timestamps.
    public var transparencyLogs: TransparencyLogs?
    /// The links whose signatures need no further check. An engine of a context remembers those of accepted paths.
    private(set) var links: KnownLinks?

    /// Creates an engine. Reads no files before the first evaluation.
    public init(
        anchors: TrustAnchors = .system, budget: VerificationBudget = .standard, revocationLists: [RevocationList] = [],
        requiresRevocationLists: Bool = false, certificatePolicies: CertificatePolicyInputs = .anyPolicy,
        transparencyLogs: TransparencyLogs? = nil
    ) {
        self.anchors = anchors
        self.budget = budget
        self.revocationLists = revocationLists
        self.requiresRevocationLists = requiresRevocationLists
        self.certificatePolicies = certificatePolicies
        self.transparencyLogs = transparencyLogs
    }

    /// Returns the engine with other anchors, if there are any.
    package func with(anchors: TrustAnchors?) -> TrustEngine {
        guard let anchors else { return self }
        var engine = self
        engine.anchors = anchors
        return engine
    }

    /// Returns the engine with a memory of the signatures on authorities that it found to be valid.
    func rememberingLinks() -> TrustEngine {
        var engine = self
        engine.links = KnownLinks()
        return engine
    }

    /// Returns the engine with other limits.
    func with(budget: VerificationBudget) -> TrustEngine {
        var engine = self
        engine.budget = budget
        return engine
    }

    /// Evaluates a chain by system verification alone. The decision is `allow` or `block`.
    public func evaluate(
        _ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, named name: String = "system"
    ) -> TrustVerdict {
        let outcome = verification(for: subject).run(chain, at: time)
        var verdict = verdict(of: outcome, chain, subject, time, name)
        verdict.decision = outcome.finding.isFavourable ? .allow : .block
        return verdict
    }

    /// Evaluates a chain under a policy.
    ///
    /// The search for a path takes the pins into account: a server with several valid paths passes if one of them is
    /// pinned. If no pin applies, the decision is ``TrustDecision/notPinned`` and ``TrustVerdict/systemFinding``
    /// contains the result of the system verification. Transports check ``TrustVerdict/permitsConnection``.
    ///
    /// If the policy requires certificate timestamps for the host, they are checked last, on the path of the verdict.
    /// Report-only pins do not affect them.
    public func evaluate(
        _ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, under policy: PinningPolicy
    ) -> TrustVerdict {
        let resolution = policy.resolve(subject.host, at: time)
        let verdict = evaluatePins(chain, for: subject, at: time, under: policy, resolution)
        guard !resolution.transparency.isEmpty else { return verdict }
        // Timestamps can be checked only on a verified path. Without one, the refusal is final, so that a delegate that
        // replaces the system verification does not replace this check as well.
        if verdict.decision == .notPinned, let system = verdict.systemFinding, !system.isFavourable,
            resolution.transparency.contains(where: { $0.enforcement == .enforce })
        {
            return verdict.refused(system)
        }
        return verdict.checkingTransparency(resolution.transparency, transparencyLogs, anchors(with: policy.anchors))
    }

    private func evaluatePins(
        _ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, under policy: PinningPolicy,
        _ resolution: PolicyResolution
    ) -> TrustVerdict {
        var requirement: PinRequirement?
        if case .pinned(let pins) = resolution.outcome { requirement = pins }
        let local = policy.anchors
        let wanted = PathRequirement(
            judge: { TrustEngine.judge($0, requirement, denied: policy.denied, local) },
            explain: { TrustEngine.refusal(of: $0, requirement, denied: policy.denied, local) })
        let outcome = verification(for: subject, local).run(chain, at: time, requirement: wanted)
        var verdict = verdict(of: outcome, chain, subject, time, policy.name)
        verdict.pinning = requirement?.facts
        // Denied keys apply to the server's own key even if no path was found.
        if let leaf = chain.leaf, let pin = policy.denied.match(leaf, isLeaf: true) {
            return verdict.refused(TrustEngine.denial(pin, leaf))
        }
        if let refusal = outcome.refusal {
            guard refusal.code == .pinMismatch, requirement?.enforcement == .reportOnly else {
                return verdict.refused(refusal)
            }
            verdict.decision = .allow
            verdict.finding = refusal
            return verdict
        }
        guard let requirement else { return unpinned(verdict, resolution, policy, at: time) }
        guard let path = outcome.path else { return verdict }
        verdict.decision = .allow
        verdict.finding = TrustEngine.acceptance(of: path, requirement)
        if verdict.finding.code == .pinsBypassed, local?.pinning == .dangerouslyBypassedAndReported {
            verdict.notices.append(verdict.finding)
        }
        return verdict
    }

    /// Returns the verdict of the system verification as the verdict of a policy without pins. The decision is
    /// ``TrustDecision/notPinned``, so that ``TrustVerdict/accepted(inPlaceOfSystemTrust:)`` can override a refusal.
    package func evaluateWithoutPins(
        _ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, named name: String
    ) -> TrustVerdict {
        var verdict = evaluate(chain, for: subject, at: time, named: name)
        verdict.decision = .notPinned
        return verdict
    }

    /// Evaluates a chain under pins that apply to every host.
    func evaluate(
        _ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, pins: PinSet, named name: String
    ) -> TrustVerdict {
        let rule = PinningRule(host: subject.host, pins: pins)
        let policy = PinningPolicy(unchecked: name, rules: [rule])
        return evaluate(chain, for: subject, at: time, under: policy)
    }

    // MARK: - Implementation

    private func verification(for subject: TrustSubject, _ local: LocalAnchors? = nil) -> Verification {
        Verification(
            anchors: anchors(with: local),
            options: VerificationOptions(
                host: subject.host, certificatePolicies: certificatePolicies, revocationLists: revocationLists,
                requiresRevocationLists: requiresRevocationLists, budget: budget),
            links: links)
    }

    private func anchors(with local: LocalAnchors?) -> TrustAnchors {
        guard let local else { return anchors }
        return local.replaceOthers ? anchors.replaced(by: local.certificates) : anchors.adding(local.certificates)
    }

    private func verdict(
        of outcome: Verification.Outcome, _ chain: PresentedChain, _ subject: TrustSubject, _ time: Timestamp,
        _ name: String
    ) -> TrustVerdict {
        TrustVerdict(
            decision: .block, finding: outcome.finding, systemFinding: outcome.finding, subject: subject,
            policyName: name, path: outcome.path, presented: chain, time: time, notices: outcome.notices)
    }

    /// Returns the verdict if no pin applies. The decision is left to the system finding, which may be a refusal.
    private func unpinned(
        _ verdict: TrustVerdict, _ resolution: PolicyResolution, _ policy: PinningPolicy, at time: Timestamp
    ) -> TrustVerdict {
        var verdict = verdict
        verdict.decision = .notPinned
        switch resolution.outcome {
        case .disabled(let reason):
            verdict.finding = TrustFinding(.pinningDisabled, "Pinning is disabled: \(reason)")
        case .excluded(let rule):
            verdict.finding = TrustFinding(.excluded, "The policy excludes \(rule.pattern).")
        case .expired(let rule):
            var facts = TrustFacts()
            facts.notAfter = rule.expires
            facts.time = time
            let instant = rule.expires.map(\.description) ?? "an unknown time"
            verdict.finding = TrustFinding(
                .policyExpired, "The pins for \(rule.pattern) expired at \(instant) and no longer apply.",
                facts: facts)
        case .unlisted, .pinned:
            if policy.requiresRuleForEveryHost {
                return verdict.refused(
                    TrustFinding(.policyRequired, "The policy has no rule for this host but requires one."))
            }
            verdict.finding = TrustFinding(.notPinned, "The policy has no rule for this host.")
        }
        return verdict
    }

    /// Returns whether a valid path meets the policy. A denied key is the worst result. If pins are only reported, any
    /// other path is acceptable.
    private static func judge(
        _ path: VerifiedPath, _ requirement: PinRequirement?, denied: PinSet, _ local: LocalAnchors?
    ) -> PathRequirement.Answer {
        if !denied.isEmpty, denied.match(on: path) != nil { return .forbidden }
        guard let requirement, !bypassesPins(path, local) else { return .met }
        return requirement.match(on: path) == nil ? .unmet : .met
    }

    private static func bypassesPins(_ path: VerifiedPath, _ local: LocalAnchors?) -> Bool {
        guard let local, local.pinning != .enforced, let anchor = path.certificates.last else { return false }
        return local.certificates.contains(anchor)
    }

    /// Returns the reason why a valid path does not meet the policy, or `nil` if it does.
    private static func refusal(
        of path: VerifiedPath, _ requirement: PinRequirement?, denied: PinSet, _ local: LocalAnchors?
    ) -> TrustFinding? {
        if !denied.isEmpty {
            for (index, certificate) in path.certificates.enumerated() {
                if let pin = denied.match(certificate, isLeaf: index == 0) { return denial(pin, certificate) }
            }
        }
        guard let requirement, !bypassesPins(path, local) else { return nil }
        guard !requirement.all.isEmpty else {
            return TrustFinding(.noUsablePins, "Pinning is enabled for this host, but no pin can be used.")
        }
        return requirement.match(on: path) == nil ? mismatch(path.hashes, expected: requirement.all) : nil
    }

    /// Returns the finding for an accepted path.
    private static func acceptance(of path: VerifiedPath, _ requirement: PinRequirement) -> TrustFinding {
        var facts = TrustFacts()
        facts.host = requirement.notedHost.text
        facts.seenHashes = path.hashes
        guard let pin = requirement.match(on: path) else {
            let anchor = path.certificates.last?.subject ?? "a local anchor"
            return TrustFinding(
                .pinsBypassed, "The path ends in \(anchor), for which the policy disables pins.", facts: facts)
        }
        facts.matchedPin = pin
        return TrustFinding(.pinMatched, "The pin \(pin) matches a key of the verified path.", facts: facts)
    }

    static func mismatch(_ seen: [SPKIDigest], expected: PinSet) -> TrustFinding {
        var facts = TrustFacts()
        facts.expectedPins = expected.listed
        facts.seenHashes = seen
        return TrustFinding(
            .pinMismatch,
            "\(expected.isSingle ? "The pin does not match" : "Not one of the \(expected.count) pins matches") "
                + "a key of the verified path "
                + "(\(seen.map(\.description).joined(separator: ", "))).", facts: facts)
    }

    private static func denial(_ pin: Pin, _ certificate: CertificateView) -> TrustFinding {
        var facts = TrustFacts()
        facts.subject = certificate.subject
        facts.matchedPin = pin
        return TrustFinding(.deniedKey, "The key of \(certificate.subject) is on the deny list.", facts: facts)
    }

    /// Verifies a chain with options that conformance suites need: without a host, and with a limit of intermediates.
    package func verify(
        _ chain: PresentedChain, host: CanonicalHost?, maximumIntermediates: Int? = nil, at time: Timestamp
    ) -> (finding: TrustFinding, path: VerifiedPath?) {
        let options = VerificationOptions(
            host: host, maximumIntermediates: maximumIntermediates, certificatePolicies: certificatePolicies,
            revocationLists: revocationLists, requiresRevocationLists: requiresRevocationLists, budget: budget)
        let outcome = Verification(anchors: anchors, options: options).run(chain, at: time)
        return (outcome.finding, outcome.path)
    }
}
