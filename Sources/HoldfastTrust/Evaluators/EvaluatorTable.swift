/// Evaluators by domain, as a transport uses them. Unlisted hosts fall through to the system verification.
struct EvaluatorTable: Sendable {
    private let evaluators: [String: any ServerTrustEvaluator]
    private let anchors: TrustAnchors
    /// Why the table cannot be honoured; it then refuses every connection.
    private let problem: TrustFinding?
    static let name = "evaluators"

    init(_ table: [String: any ServerTrustEvaluator], anchors: TrustAnchors) {
        var byHost: [String: any ServerTrustEvaluator] = [:]
        var problem: TrustFinding?
        for (spelling, evaluator) in table.sorted(by: { $0.key < $1.key }) {
            do throws(HostError) {
                // Two spellings of one host with two evaluators: which of them is meant cannot be known.
                if byHost.updateValue(evaluator, forKey: try CanonicalHost(spelling).text) != nil {
                    problem = TrustFinding(
                        .invalidConfiguration, "The domain \(Printable.text(spelling)) is listed twice.")
                }
            } catch {
                problem = TrustFinding(
                    .invalidConfiguration,
                    "The pinned domain \(Printable.text(spelling)) is no host: \(error.reason)")
            }
        }
        evaluators = byHost
        self.anchors = anchors
        self.problem = problem
    }

    func judge(_ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp) -> Judgement {
        if let problem {
            return .now(.blocked(problem, chain, subject, time, name: EvaluatorTable.name))
        }
        let engine = TrustEngine(anchors: anchors)
        switch evaluators[subject.host.text] {
        case nil:
            return .now(engine.evaluate(chain, for: subject, at: time, named: EvaluatorTable.name))
        case let own as any VerdictEvaluator:
            return .now(own.verdict(on: chain, for: subject, at: time, anchors: anchors))
        case let composite as CompositeEvaluator:
            if let verdict = composite.verdict(on: chain, for: subject, at: time, anchors: anchors) {
                return .now(verdict)
            }
            return askAfterSystemTrust(composite, engine, chain, subject, time)
        case let replacing as DangerouslyReplacingSystemTrust:
            var verdict = TrustVerdict.blocked(
                TrustFinding(.evaluatorRefused, ""), chain, subject, time, name: EvaluatorTable.name)
            verdict.finding = TrustFinding(
                .evaluatorAccepted, "A custom evaluator accepted the server in the place of system trust.")
            return ask(replacing, about: chain, verdict)
        case let custom?:
            return askAfterSystemTrust(custom, engine, chain, subject, time)
        }
    }

    /// System trust first: a custom evaluator may refuse what it accepts, and nothing else.
    private func askAfterSystemTrust(
        _ evaluator: any ServerTrustEvaluator, _ engine: TrustEngine, _ chain: PresentedChain,
        _ subject: TrustSubject, _ time: Timestamp
    ) -> Judgement {
        let verdict = engine.evaluate(chain, for: subject, at: time, named: EvaluatorTable.name)
        guard verdict.permitsConnection else { return .now(verdict) }
        return ask(evaluator, about: chain, verdict)
    }

    private func ask(
        _ evaluator: any ServerTrustEvaluator, about chain: PresentedChain, _ accepted: TrustVerdict
    ) -> Judgement {
        .later {
            var verdict = accepted
            do {
                try await evaluator.evaluate(ServerTrust(chain), forHost: accepted.subject?.host.text ?? "")
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
