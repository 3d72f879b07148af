import HoldfastBase

/// The evaluators of a transport by domain. Hosts that are not listed use the system verification.
struct EvaluatorTable: Sendable {
    private let evaluators: [String: any ServerTrustEvaluator]
    /// The reason why the table is not valid. An invalid table refuses every connection.
    private let problem: TrustFinding?
    static let name = "evaluators"

    init(_ table: [String: any ServerTrustEvaluator]) {
        var byHost: [String: any ServerTrustEvaluator] = [:]
        var problem: TrustFinding?
        for (spelling, evaluator) in table.sorted(by: { $0.key < $1.key }) {
            do throws(HostError) {
                // Two spellings of one host with two evaluators are ambiguous.
                if byHost.updateValue(evaluator, forKey: try CanonicalHost(spelling).text) != nil {
                    problem = TrustFinding(
                        .invalidConfiguration, "The domain \(Printable.text(spelling)) is listed twice.")
                }
            } catch {
                problem = TrustFinding(
                    .invalidConfiguration,
                    "The pinned domain \(Printable.text(spelling)) is not a valid host: \(error.reason)")
            }
        }
        evaluators = byHost
        self.problem = problem
    }

    func judge(
        _ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, by engine: TrustEngine
    ) -> TrustEvaluation {
        if let problem {
            return .now(.blocked(problem, chain, subject, time, name: EvaluatorTable.name))
        }
        let evaluation = EvaluationRequest(chain: chain, subject: subject, time: time, engine: engine)
        guard let evaluator = evaluators[subject.host.text] else { return .now(evaluation.systemVerdict()) }
        return evaluation.judge(evaluator)
    }
}
