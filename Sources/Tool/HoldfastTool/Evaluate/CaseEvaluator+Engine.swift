import HoldfastFormats
import HoldfastSystem
import HoldfastTrust

extension CaseEvaluator {
    /// Returns the engine with the inputs of a case. Throws one sentence that names the field.
    mutating func engine(for test: EvaluationCase) throws(CaseError) -> TrustEngine {
        let inputs = test.inputs
        return TrustEngine(
            anchors: try anchors(of: test), revocationLists: inputs.revocationLists,
            requiresRevocationLists: inputs.requiresRevocationLists, certificatePolicies: inputs.certificatePolicies,
            transparencyLogs: inputs.logs)
    }

    /// Returns the anchors with their constraints. A distrusted anchor stays in the list, so that the finding names it.
    private mutating func anchors(of test: EvaluationCase) throws(CaseError) -> TrustAnchors {
        let anchors =
            switch test.anchors {
            case .system: TrustAnchors.system
            case .only(let texts): try shelf.anchors(texts)
            case nil: TrustAnchors.only([])
            }
        var constrained: [TrustAnchor] = []
        var distrust = TrustAnchorConstraints()
        distrust.allowsServerAuthentication = false
        for certificate in try shelf.certificates(in: test.inputs.distrustedAnchors, named: "distrustedAnchors") {
            constrained.append(TrustAnchor(certificate, constraints: distrust))
        }
        for (index, element) in test.inputs.anchorConstraints.enumerated() {
            do throws(CaseError) {
                for certificate in try shelf.certificates(in: element.certificate) {
                    constrained.append(TrustAnchor(certificate, constraints: element.constraints))
                }
            } catch {
                throw CaseError("anchorConstraints[\(index)].anchor \(error.sentence)")
            }
        }
        return anchors.adding(anchors: constrained)
    }

    /// Verifies a chain without pins, and without a host or with a limit of intermediates.
    func verify(
        _ test: EvaluationCase, _ chain: PresentedChain, _ host: CanonicalHost, _ engine: TrustEngine,
        at time: Timestamp
    ) -> EvaluationVerdict {
        let clock = ContinuousClock()
        let start = clock.now
        let result = engine.verify(
            chain, host: test.inputs.checksHost ? host : nil, maximumIntermediates: test.inputs.maximumIntermediates,
            at: time)
        let decision = result.finding.isFavourable ? TrustDecision.allow : .block
        let code = result.finding.code.rawValue
        return EvaluationVerdict(
            decision: decision.rawValue, finding: code, reason: result.finding.reason, system: code,
            path: result.path?.hashes.map(\.base64) ?? [],
            durationMicros: (clock.now - start).wholeMicroseconds)
    }

    /// Reads the text of a policy file in any format. Throws one sentence with its problems.
    static func policy(in text: String, at time: Timestamp) throws(CaseError) -> PinningPolicy {
        let document = PolicyFormats.read(
            Array(text.utf8), named: "policyFile", options: PolicyReadOptions(receivedAt: time))
        do throws(PolicyError) {
            return try document.policy()
        } catch {
            throw CaseError("policyFile: \(error.problems.map { "\($0)" }.joined(separator: "; "))")
        }
    }
}

extension TrustContext {
    /// Returns a context with the system verification of an engine, and a policy if one is given.
    static func engine(_ engine: TrustEngine, under policy: PinningPolicy? = nil) -> TrustContext {
        TrustContext(name: policy?.name ?? "system") { chain, subject, time in
            guard let policy else { return .now(engine.evaluate(chain, for: subject, at: time)) }
            return .now(engine.evaluate(chain, for: subject, at: time, under: policy))
        }
    }
}
