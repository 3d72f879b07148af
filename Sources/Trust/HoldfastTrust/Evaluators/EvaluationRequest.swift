import HoldfastBase

/// One question to an evaluator, with all that its answer may rest on.
///
/// A context hands it down through composites and wrappers, so that every member judges by the anchors and the time of
/// the context, and none by the machine's own because nobody told it better.
package struct EvaluationRequest: Sendable {
    /// What the server presented.
    package var chain: PresentedChain
    /// Whom the connection is to reach.
    package var subject: TrustSubject
    /// The time of the context.
    package var time: Timestamp
    /// The anchors of the context. An evaluator that was made with anchors of its own uses those.
    package var anchors: TrustAnchors
    /// Whether a custom evaluator stands in the place of the system verification.
    var replacesSystemTrust = false
    /// What the members of a composite that were asked before accepted, the last one with a path.
    var accepted: TrustVerdict?

    package init(_ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, anchors: TrustAnchors) {
        self.chain = chain
        self.subject = subject
        self.time = time
        self.anchors = anchors
    }

    /// Asks an evaluator, Holdfast's own or a custom one.
    ///
    /// A custom one is asked after the system verification and can only refuse, unless it stands in its place.
    func judge(_ evaluator: any ServerTrustEvaluator) -> TrustEvaluation {
        if let own = evaluator as? any ContextEvaluator { return own.judge(self) }
        guard replacesSystemTrust else {
            let verdict = systemVerdict()
            return verdict.permitsConnection ? ask(evaluator, verdict) : .now(verdict)
        }
        let placeholder = TrustFinding(
            .evaluatorAccepted, "A custom evaluator accepted the server in the place of system trust.")
        return ask(evaluator, .blocked(placeholder, chain, subject, time, name: EvaluatorTable.name))
    }

    /// What the system verification says, with the anchors of the context.
    func systemVerdict() -> TrustVerdict {
        TrustEngine(anchors: anchors).evaluate(chain, for: subject, at: time, named: EvaluatorTable.name)
    }

    private func ask(_ evaluator: any ServerTrustEvaluator, _ accepted: TrustVerdict) -> TrustEvaluation {
        .later {
            var verdict = accepted
            do {
                // Whatever evaluators of Holdfast's own it calls judge by this context too.
                try await EvaluationScope.$current.withValue(EvaluationScope(time: time, anchors: anchors)) {
                    try await evaluator.evaluate(ServerTrust(chain), forHost: subject.host.text)
                }
                verdict.decision = .allow
            } catch let refusal as TrustRefusal {
                // Whatever the verdict inside says: it was thrown, so it refuses.
                verdict = refusal.verdict
                verdict.decision = .block
            } catch {
                verdict.decision = .block
                verdict.finding = TrustFinding(
                    .evaluatorRefused, "The custom evaluator refused the server: \(Printable.text("\(error)"))")
            }
            return verdict
        }
    }
}

/// The anchors and the time of the context on whose behalf a custom evaluator is being asked.
///
/// A custom evaluator gets a chain and a host, and nothing that it could pass on to an evaluator of Holdfast's own that it
/// holds. Without this, that one would fall back on the machine's roots and clock.
package struct EvaluationScope: Sendable {
    package var time: Timestamp
    package var anchors: TrustAnchors

    @TaskLocal package static var current: EvaluationScope?
}
