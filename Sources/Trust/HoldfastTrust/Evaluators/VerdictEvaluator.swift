/// An evaluator of Holdfast's own that answers at once, and runs the system verification itself.
package protocol VerdictEvaluator: ContextEvaluator {
    /// Judges a chain. `anchors` are those of the context that asks; an evaluator with its own anchors ignores them.
    func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, anchors: TrustAnchors
    ) -> TrustVerdict

    /// Returns if the server may be talked to, throws if not: at once, and not only when awaited.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

extension VerdictEvaluator {
    package func judge(_ evaluation: Evaluation) -> Judgement {
        .now(
            verdict(
                on: evaluation.chain, for: evaluation.subject, at: evaluation.time, anchors: evaluation.anchors))
    }

    /// What a call without a context does. Throws a refusal.
    func evaluate(_ trust: ServerTrust, host: String, anchors: TrustAnchors?, clock: TrustClock) throws(TrustRefusal) {
        guard case .now(let verdict) = try judge(trust, host: host, anchors: anchors, clock: clock) else { return }
        guard verdict.permitsConnection else { throw TrustRefusal(verdict) }
    }
}
