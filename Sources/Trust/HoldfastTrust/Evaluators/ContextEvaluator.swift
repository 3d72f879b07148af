/// An evaluator of Holdfast that uses the anchors, the other inputs and the time of the calling context.
package protocol ContextEvaluator: ServerTrustEvaluator {
    /// Evaluates a chain, synchronously or asynchronously.
    func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation
}

extension ContextEvaluator {
    /// Evaluates a server without a context: canonicalizes the host, evaluates the chain, and throws a refusal.
    ///
    /// Uses the inputs and the time of the context that is running the caller, if there is one. Otherwise it uses
    /// `clock` and the system's roots. `anchors` replace those of the context.
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
                chain: trust.presented, subject: subject, time: time,
                engine: (scope?.engine ?? TrustEngine()).with(anchors: anchors)))
    }
}

/// An evaluator of Holdfast that responds synchronously and runs the system verification itself.
package protocol VerdictEvaluator: ContextEvaluator {
    /// Returns the verdict on a chain. `engine` has the inputs of the calling context. An evaluator with its own
    /// anchors replaces those of the engine.
    func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, by engine: TrustEngine
    ) -> TrustVerdict

    /// Returns if the server is accepted and throws otherwise. Runs synchronously.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

extension VerdictEvaluator {
    package func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation {
        .now(
            verdict(on: evaluation.chain, for: evaluation.subject, at: evaluation.time, by: evaluation.engine))
    }

    /// Evaluates a server without a context. Throws a refusal.
    func evaluate(_ trust: ServerTrust, host: String, anchors: TrustAnchors?, clock: TrustClock) throws(TrustRefusal) {
        guard case .now(let verdict) = try judge(trust, host: host, anchors: anchors, clock: clock) else { return }
        guard verdict.permitsConnection else { throw TrustRefusal(verdict) }
    }
}
