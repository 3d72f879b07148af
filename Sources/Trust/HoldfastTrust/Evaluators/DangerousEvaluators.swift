/// Accepts every certificate, an attacker's too. The connection is then encrypted, and with whom nobody knows.
public struct DangerouslyAcceptAnyCertificate: VerdictEvaluator {
    /// Makes the evaluator.
    public init() {}

    /// Returns.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {}

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, anchors: TrustAnchors
    ) -> TrustVerdict {
        var verdict = TrustVerdict.blocked(
            TrustFinding(.anyCertificateAccepted, "Verification is switched off: any certificate is accepted."),
            chain, subject, time, name: TrustContext.anyCertificateName)
        verdict.decision = .allow
        return verdict
    }
}

/// Lets an evaluator accept what the system verification refuses: it runs *instead* of the system verification.
///
/// If the evaluator accepts an attacker's chain, the connection is the attacker's. The one reason to use this is a
/// server that no configuration of anchors or pins can describe. An evaluator of Holdfast's own inside it does what it
/// always does, the system verification included, with the anchors of the context.
public struct DangerouslyReplacingSystemTrust: ContextEvaluator {
    private let evaluator: any ServerTrustEvaluator

    /// Puts an evaluator in the place of the system verification.
    public init(_ evaluator: any ServerTrustEvaluator) {
        self.evaluator = evaluator
    }

    /// Asks the evaluator, and nothing else.
    public func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
        try await evaluator.evaluate(trust, forHost: host)
    }

    package func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation {
        var evaluation = evaluation
        evaluation.replacesSystemTrust = true
        return evaluation.judge(evaluator)
    }
}
