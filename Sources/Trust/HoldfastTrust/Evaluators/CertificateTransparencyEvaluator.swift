/// Runs system verification, then requires signed certificate timestamps of trusted logs (RFC 6962) in the server's
/// certificate.
///
/// In ``CompositeEvaluator/all(_:)``, the evaluator checks the path that earlier members accepted, without a second
/// verification. It evaluates synchronously. See ``TransparencyRequirement`` for what is not visible to it. A
/// requirement that is only reported adds notices.
public struct CertificateTransparencyEvaluator: VerdictEvaluator {
    /// The requirement.
    public let requirement: TransparencyRequirement
    /// The logs of the evaluator; `nil` for those of the context.
    private let logs: TransparencyLogs?
    private let anchors: TrustAnchors?
    private let clock: TrustClock

    /// Creates an evaluator. Without `anchors`, paths end at the system's roots or at the anchors of the context that
    /// uses the evaluator.
    public init(
        _ requirement: TransparencyRequirement, logs: TransparencyLogs, anchors: TrustAnchors? = nil,
        clock: TrustClock = .system
    ) {
        self.requirement = requirement
        self.logs = logs
        self.anchors = anchors
        self.clock = clock
    }

    /// Creates an evaluator that uses the logs of the context in which it runs, so that the context can replace its
    /// list. Without logs there, and outside a context, it refuses every server with `logListMissing`.
    public init(_ requirement: TransparencyRequirement, anchors: TrustAnchors? = nil, clock: TrustClock = .system) {
        self.requirement = requirement
        self.logs = nil
        self.anchors = anchors
        self.clock = clock
    }

    /// Returns if the chain is valid for the host and the certificate has the required timestamps.
    ///
    /// - Throws: ``TrustRefusal`` otherwise.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try evaluate(trust, host: host, anchors: anchors, clock: clock)
    }

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, by engine: TrustEngine
    ) -> TrustVerdict {
        let engine = engine.with(anchors: anchors)
        let verdict = engine.evaluate(chain, for: subject, at: time, named: CertificateTransparencyEvaluator.name)
        return checked(verdict, engine)
    }

    package func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation {
        guard anchors == nil, let accepted = evaluation.accepted, accepted.path != nil else {
            return .now(
                verdict(on: evaluation.chain, for: evaluation.subject, at: evaluation.time, by: evaluation.engine))
        }
        return .now(checked(accepted, evaluation.engine))
    }

    private func checked(_ verdict: TrustVerdict, _ engine: TrustEngine) -> TrustVerdict {
        verdict.checkingTransparency([requirement], logs ?? engine.transparencyLogs, engine.anchors)
    }

    private static let name = "certificate transparency"
}

extension TrustVerdict {
    /// Returns the verdict after a check of the timestamps on its path. A refusal is returned unchanged.
    func checkingTransparency(
        _ requirements: [TransparencyRequirement], _ logs: TransparencyLogs?, _ anchors: TrustAnchors
    ) -> TrustVerdict {
        guard !requirements.isEmpty, permitsConnection else { return self }
        guard let path, let anchor = path.certificates.last else {
            return refused(TrustFinding(.sctsMissing, "There is no verified path whose timestamps could be checked."))
        }
        // Whether an anchor is local matters only for a requirement that exempts local anchors.
        let isExempt = requirements.contains { $0.localAnchors == .exempt } && anchors.isLocal(anchor, at: time)
        let check = TransparencyCheck(path: path, isLocal: isExempt, logs: logs, time: time)
        let outcome = check.outcome(of: requirements)
        var verdict = outcome.refusal.map { refused($0) } ?? self
        verdict.notices += outcome.notices
        if let limit = outcome.validUntil {
            // The first second after the limit is the first for which a cached verdict is not valid.
            let end = limit.advanced(bySeconds: 1)
            verdict.validUntil = verdict.validUntil.map { min($0, end) } ?? end
        }
        return verdict
    }
}
