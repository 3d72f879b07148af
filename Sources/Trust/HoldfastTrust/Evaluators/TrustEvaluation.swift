import HoldfastBase

/// The result of ``TrustContext/judge(_:for:at:)``: a verdict, or a pending verdict if an asynchronous evaluator takes
/// part.
public enum TrustEvaluation: Sendable {
    /// The verdict.
    case now(TrustVerdict)
    /// An asynchronous evaluator must be awaited. The closure never throws: a refusal is a verdict.
    case later(@Sendable () async -> TrustVerdict)

    /// Returns the verdict, and waits for it if necessary. Has no timeout of its own; a transport's TLS deadline
    /// applies.
    public func verdict() async -> TrustVerdict {
        switch self {
        case .now(let verdict): verdict
        case .later(let decide): await decide()
        }
    }
}

/// A request to an evaluator with all inputs of the decision.
///
/// A context passes it through composites and wrappers, so that every member uses the context's inputs and time instead
/// of the system's.
package struct EvaluationRequest: Sendable {
    /// The chain that the server presented.
    package var chain: PresentedChain
    /// The intended server.
    package var subject: TrustSubject
    /// The time of the context.
    package var time: Timestamp
    /// The anchors, the certificate policies and the logs of the context. An evaluator with its own anchors uses those
    /// instead.
    package var engine: TrustEngine
    /// Whether a custom evaluator replaces the system verification.
    var replacesSystemTrust = false
    /// The last verdict with a path that earlier members of a composite accepted.
    var accepted: TrustVerdict?

    /// Runs an evaluator of Holdfast or a custom one.
    ///
    /// A custom evaluator runs after the system verification and can only refuse, unless it replaces the system
    /// verification.
    func judge(_ evaluator: any ServerTrustEvaluator) -> TrustEvaluation {
        if let own = evaluator as? any ContextEvaluator { return own.judge(self) }
        guard replacesSystemTrust else {
            let verdict = systemVerdict()
            return verdict.permitsConnection ? ask(evaluator, verdict) : .now(verdict)
        }
        let placeholder = TrustFinding(
            .evaluatorAccepted, "A custom evaluator accepted the server instead of system trust.")
        return ask(evaluator, .blocked(placeholder, chain, subject, time, name: EvaluatorTable.name))
    }

    /// Returns the verdict of the system verification with the inputs of the context.
    func systemVerdict() -> TrustVerdict {
        engine.evaluate(chain, for: subject, at: time, named: EvaluatorTable.name)
    }

    private func ask(_ evaluator: any ServerTrustEvaluator, _ accepted: TrustVerdict) -> TrustEvaluation {
        .later {
            var verdict = accepted
            do {
                // Evaluators of Holdfast that the custom evaluator calls use this context too.
                try await EvaluationScope.$current.withValue(EvaluationScope(time: time, engine: engine)) {
                    try await evaluator.evaluate(ServerTrust(chain), forHost: subject.host.text)
                }
                verdict.decision = .allow
            } catch let refusal as TrustRefusal {
                // A thrown verdict refuses, even if the verdict itself accepts.
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

/// The inputs and the time of the context that is running a custom evaluator.
///
/// A custom evaluator receives only a chain and a host, so it cannot pass the context to Holdfast's evaluators that it
/// calls. Without this scope, those would use the system's roots and clock.
package struct EvaluationScope: Sendable {
    package var time: Timestamp
    package var engine: TrustEngine

    @TaskLocal package static var current: EvaluationScope?
}

/// The refusal of a server. The verdict contains the reason.
///
/// - Remedy: Read `verdict.finding`: each finding has its remedy.
public struct TrustRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The complete verdict.
    public var verdict: TrustVerdict

    /// Creates a refusal from a verdict.
    public init(_ verdict: TrustVerdict) {
        self.verdict = verdict
    }

    /// The reason as text.
    public var description: String { verdict.description }
}
