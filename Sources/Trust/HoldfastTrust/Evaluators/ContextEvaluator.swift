/// An evaluator of Holdfast that uses the anchors and the time of the calling context.
package protocol ContextEvaluator: ServerTrustEvaluator {
    /// Evaluates a chain, synchronously or asynchronously.
    func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation
}

extension ContextEvaluator {
    /// Evaluates a server without a context: canonicalizes the host, evaluates the chain, and throws a refusal.
    ///
    /// Uses the anchors and the time of the context that is running the caller, if there is one. Otherwise it uses
    /// `clock` and the system's roots.
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
            EvaluationRequest(
                chain: trust.presented, subject: subject, time: time, anchors: anchors ?? scope?.anchors ?? .system))
    }
}

/// An evaluator of Holdfast that responds synchronously and runs the system verification itself.
package protocol VerdictEvaluator: ContextEvaluator {
    /// Returns the verdict on a chain. `anchors` are those of the calling context; an evaluator with its own anchors
    /// ignores them.
    func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, anchors: TrustAnchors
    ) -> TrustVerdict

    /// Returns if the server is accepted and throws otherwise. Runs synchronously.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

extension VerdictEvaluator {
    package func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation {
        .now(
            verdict(
                on: evaluation.chain, for: evaluation.subject, at: evaluation.time, anchors: evaluation.anchors))
    }

    /// Evaluates a server without a context. Throws a refusal.
    func evaluate(_ trust: ServerTrust, host: String, anchors: TrustAnchors?, clock: TrustClock) throws(TrustRefusal) {
        guard case .now(let verdict) = try judge(trust, host: host, anchors: anchors, clock: clock) else { return }
        guard verdict.permitsConnection else { throw TrustRefusal(verdict) }
    }
}
