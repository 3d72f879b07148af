/// An evaluator of Holdfast's own: it takes the anchors and the time of the context that asks.
package protocol ContextEvaluator: ServerTrustEvaluator {
    /// Judges a chain, at once or later.
    func judge(_ evaluation: Evaluation) -> Judgement
}

extension ContextEvaluator {
    /// What a call without a context does: canonicalises the host, judges, throws a refusal.
    ///
    /// Anchors and time are those of the context on whose behalf the caller is being asked, where there is one, else
    /// `clock` and the machine's roots.
    func judge(
        _ trust: ServerTrust, host: String, anchors: TrustAnchors?, clock: TrustClock
    ) throws(TrustRefusal) -> Judgement {
        let scope = EvaluationScope.current
        let time = scope?.time ?? clock.now()
        let subject: TrustSubject
        do throws(HostError) {
            subject = TrustSubject(host: try CanonicalHost(host))
        } catch {
            throw TrustRefusal(
                TrustVerdict(
                    decision: .block, finding: TrustFinding(.invalidHost, error.reason), subject: nil,
                    policyName: "evaluator", time: time))
        }
        return judge(
            Evaluation(trust.presented, for: subject, at: time, anchors: anchors ?? scope?.anchors ?? .system))
    }
}
