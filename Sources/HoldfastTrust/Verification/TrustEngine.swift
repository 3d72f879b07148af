/// Turns presented chains into verdicts. A pure, synchronous function of its arguments; called from any thread.
public struct TrustEngine: Sendable {
    /// Where paths may end.
    public var anchors: TrustAnchors
    /// The limits of an evaluation.
    public var budget: VerificationBudget

    /// Makes an engine. Nothing is read until the first evaluation.
    public init(anchors: TrustAnchors = .system, budget: VerificationBudget = .standard) {
        self.anchors = anchors
        self.budget = budget
    }

    /// The system verification alone: allow or block.
    public func evaluate(
        _ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, named name: String = "system"
    ) -> TrustVerdict {
        let outcome = verification(for: subject).run(chain, at: time)
        var verdict = verdict(of: outcome, chain, subject, time, name)
        verdict.decision = outcome.finding.isFavourable ? .allow : .block
        return verdict
    }

    /// Verification under a policy. The pins take part in the search for a path, so that a server with several valid
    /// paths passes if one of them is pinned.
    ///
    /// Where no pin applies the decision is ``TrustDecision/notPinned`` and ``TrustVerdict/systemFinding`` says how the
    /// chain stands; a transport asks ``TrustVerdict/permitsConnection``.
    public func evaluate(
        _ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, under policy: PinningPolicy
    ) -> TrustVerdict {
        let rule = policy.rule(for: subject.host)
        let applies = rule.map { !$0.isExcluded && ($0.expires.map { time < $0 } ?? true) } ?? false
        let pins = applies ? rule?.pins : nil
        let outcome = verification(for: subject).run(chain, at: time) { path in
            TrustEngine.refusal(of: path, pins: pins, denied: policy.denied)
        }
        var verdict = verdict(of: outcome, chain, subject, time, policy.name)
        // Deny pins count for the server's own key even where no path was found.
        if let leaf = chain.leaf, let pin = policy.denied.match(leaf, isLeaf: true) {
            return blocked(verdict, TrustEngine.denial(pin, leaf))
        }
        guard outcome.finding.isFavourable else { return blockedOrUnpinned(verdict, rule, policy, at: time) }
        if let refusal = outcome.refusal {
            guard refusal.code == .pinMismatch, rule?.enforcement == .reportOnly else {
                return blocked(verdict, refusal)
            }
            verdict.decision = .allow
            verdict.finding = refusal
            return verdict
        }
        guard let rule, let pins, let path = outcome.path, let pin = pins.match(on: path) else {
            return blockedOrUnpinned(verdict, rule, policy, at: time)
        }
        var facts = TrustFacts()
        facts.host = rule.host.text
        facts.matchedPin = pin
        facts.seenHashes = path.hashes
        verdict.decision = .allow
        verdict.finding = TrustFinding(.pinMatched, "The pin \(pin) matches a key of the verified path.", facts: facts)
        return verdict
    }

    /// Verification under pins that apply to whatever host is asked for.
    func evaluate(
        _ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, pins: PinSet, named name: String
    ) -> TrustVerdict {
        let rule = PinningRule(host: subject.host, pins: pins)
        let policy = PinningPolicy(unchecked: name, rules: [subject.host.text: rule])
        return evaluate(chain, for: subject, at: time, under: policy)
    }

    // MARK: - Pieces

    private func verification(for subject: TrustSubject) -> Verification {
        Verification(anchors: anchors, options: VerificationOptions(host: subject.host, budget: budget))
    }

    private func verdict(
        of outcome: Verification.Outcome, _ chain: PresentedChain, _ subject: TrustSubject, _ time: Timestamp,
        _ name: String
    ) -> TrustVerdict {
        TrustVerdict(
            decision: .block, finding: outcome.finding, systemFinding: outcome.finding, subject: subject,
            policyName: name, path: outcome.path, presentedHashes: chain.certificates.map(\.spkiDigest),
            unreadable: chain.unreadable, time: time, notices: outcome.notices)
    }

    private func blocked(_ verdict: TrustVerdict, _ finding: TrustFinding) -> TrustVerdict {
        var verdict = verdict
        verdict.decision = .block
        verdict.finding = finding
        return verdict
    }

    /// No pin was matched on a valid path: because the chain is invalid, or because no pin applies.
    private func blockedOrUnpinned(
        _ verdict: TrustVerdict, _ rule: PinningRule?, _ policy: PinningPolicy, at time: Timestamp
    ) -> TrustVerdict {
        var verdict = verdict
        guard let rule else {
            if policy.requiresRuleForEveryHost {
                return blocked(
                    verdict, TrustFinding(.policyRequired, "The policy has no rule for this host, and requires one."))
            }
            verdict.decision = .notPinned
            verdict.finding = TrustFinding(.notPinned, "The policy has no rule for this host.")
            return verdict
        }
        if rule.isExcluded {
            verdict.decision = .notPinned
            verdict.finding = TrustFinding(.excluded, "The policy excludes \(rule.host).")
        } else if let expires = rule.expires, time >= expires {
            var facts = TrustFacts()
            facts.notAfter = expires
            facts.time = time
            verdict.decision = .notPinned
            verdict.finding = TrustFinding(
                .policyExpired, "The pins for \(rule.host) expired at \(expires); they no longer apply.", facts: facts)
        }
        return verdict
    }

    /// Why a valid path does not satisfy the policy; `nil` if it does.
    private static func refusal(of path: VerifiedPath, pins: PinSet?, denied: PinSet) -> TrustFinding? {
        if !denied.isEmpty {
            for (index, certificate) in path.certificates.enumerated() {
                if let pin = denied.match(certificate, isLeaf: index == 0) { return denial(pin, certificate) }
            }
        }
        guard let pins else { return nil }
        guard !pins.isEmpty else {
            return TrustFinding(.noUsablePins, "Pinning is on for this host, but there is no usable pin.")
        }
        return pins.match(on: path) == nil ? mismatch(path.hashes, expected: pins) : nil
    }

    static func mismatch(_ seen: [SPKIDigest], expected: PinSet) -> TrustFinding {
        var facts = TrustFacts()
        facts.expectedPins = expected.sorted
        facts.seenHashes = seen
        return TrustFinding(
            .pinMismatch,
            "None of the \(expected.pins.count) pins matches a key of the verified path "
                + "(\(seen.map(\.description).joined(separator: ", "))).", facts: facts)
    }

    private static func denial(_ pin: Pin, _ certificate: CertificateView) -> TrustFinding {
        var facts = TrustFacts()
        facts.subject = certificate.subject
        facts.matchedPin = pin
        return TrustFinding(.deniedKey, "The key of \(certificate.subject) is on the deny list.", facts: facts)
    }
}
