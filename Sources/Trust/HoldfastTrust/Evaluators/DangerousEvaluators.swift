/// Accepts every certificate, including an attacker's. The connection is encrypted, but the identity of the server is
/// unknown.
public struct DangerouslyAcceptAnyCertificate: VerdictEvaluator {
    /// Creates the evaluator.
    public init() {}

    /// Accepts the server.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {}

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, by engine: TrustEngine
    ) -> TrustVerdict {
        var verdict = TrustVerdict.blocked(
            TrustFinding(.anyCertificateAccepted, "Verification is disabled: any certificate is accepted."),
            chain, subject, time, name: TrustContext.anyCertificateName)
        verdict.decision = .allow
        return verdict
    }
}

/// Runs an evaluator *instead of* the system verification, so that it can accept chains that the system refuses.
///
/// If the evaluator accepts an attacker's chain, the attacker controls the connection. Use it only for servers that
/// anchors and pins cannot describe. An evaluator of Holdfast inside it runs unchanged, including its system
/// verification, with the anchors of the context.
public struct DangerouslyReplacingSystemTrust: ContextEvaluator {
    private let evaluator: any ServerTrustEvaluator

    /// Creates a replacement for the system verification.
    public init(_ evaluator: any ServerTrustEvaluator) {
        self.evaluator = evaluator
    }

    /// Runs the evaluator.
    public func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
        try await evaluator.evaluate(trust, forHost: host)
    }

    package func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation {
        var evaluation = evaluation
        evaluation.replacesSystemTrust = true
        return evaluation.judge(evaluator)
    }
}
