/// An evaluator of Holdfast's own: it takes the anchors and the time of the context that asks.
package protocol ContextEvaluator: ServerTrustEvaluator {
    /// Judges a chain, at once or later.
    func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation
}

extension ContextEvaluator {
    /// What a call without a context does: canonicalises the host, judges, throws a refusal.
    ///
    /// Anchors and time are those of the context on whose behalf the caller is being asked, where there is one, else
    /// `clock` and the machine's roots.
    func judge(
        _ trust: ServerTrust, host: String, anchors: TrustAnchors?, clock: TrustClock
    ) throws(TrustRefusal) -> TrustEvaluation {
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
            EvaluationRequest(trust.presented, for: subject, at: time, anchors: anchors ?? scope?.anchors ?? .system))
    }
}

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
    package func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation {
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
