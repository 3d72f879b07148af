/// Several evaluators as one: all must accept, or one.
///
/// In a context every member judges by the context's anchors and time. Custom members are asked after the system
/// verification, as everywhere; Holdfast's own run it themselves where their mode has one. Members are asked in the
/// order given, one after the other, and the answer comes at once as long as all of them answer at once. An empty
/// composite refuses every server.
public struct CompositeEvaluator: ContextEvaluator {
    enum Rule: Hashable, Sendable { case all, any }

    private let members: [any ServerTrustEvaluator]
    private let rule: Rule

    /// Accepts what every member accepts, and throws what the first one throws that does not.
    ///
    /// A revocation check that comes after other members checks the path that they accepted.
    public static func all(_ members: [any ServerTrustEvaluator]) -> CompositeEvaluator {
        CompositeEvaluator(members: members, rule: .all)
    }

    /// Accepts what one member accepts; if none does, throws what the last one threw.
    public static func any(_ members: [any ServerTrustEvaluator]) -> CompositeEvaluator {
        CompositeEvaluator(members: members, rule: .any)
    }

    /// Asks the members. Throws what they throw, or ``CompositeEvaluator/EmptyError`` if there are none.
    ///
    /// Outside of a context each member falls back on its own anchors and clock.
    public func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
        var last: any Error = EmptyError()
        for member in members {
            do {
                try await member.evaluate(trust, forHost: host)
                if rule == .any { return }
            } catch {
                if rule == .all { throw error }
                last = error
            }
        }
        if rule == .any || members.isEmpty { throw last }
    }

    /// The composite has no members, and trusts nobody.
    public struct EmptyError: Error, Hashable, Sendable, CustomStringConvertible {
        public var description: String { "The composite has no evaluators, so no server is trusted." }
    }

    package func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation {
        var tally = Tally(rule: rule, evaluation: evaluation)
        for (index, member) in members.enumerated() {
            switch tally.evaluation.judge(member) {
            case .now(let verdict):
                if let answer = tally.take(verdict) { return .now(answer) }
            case .later(let first):
                let rest = members.dropFirst(index + 1)
                return .later { [tally] in
                    var tally = tally
                    if let answer = tally.take(await first()) { return answer }
                    for member in rest {
                        if let answer = tally.take(await tally.evaluation.judge(member).verdict()) { return answer }
                    }
                    return tally.conclusion
                }
            }
        }
        return .now(tally.conclusion)
    }

    /// What the members said so far.
    private struct Tally: Sendable {
        let rule: Rule
        var evaluation: EvaluationRequest
        private var last: TrustVerdict?
        private var earlierRefusals: [TrustFinding] = []
        private var notices: [TrustFinding] = []

        init(rule: Rule, evaluation: EvaluationRequest) {
            self.rule = rule
            self.evaluation = evaluation
        }

        /// Counts a verdict. Answers with the composite's own where it is decided by it.
        mutating func take(_ verdict: TrustVerdict) -> TrustVerdict? {
            switch (rule, verdict.permitsConnection) {
            case (.all, false), (.any, true): return verdict
            case (.all, true):
                // What an earlier member noticed stays worth knowing.
                notices += verdict.notices.filter { !notices.contains($0) }
                if verdict.path != nil { evaluation.accepted = verdict }
            case (.any, false):
                if let last { earlierRefusals.append(last.finding) }
            }
            last = verdict
            return nil
        }

        /// The composite's verdict where no single member decided.
        var conclusion: TrustVerdict {
            guard var verdict = last else {
                return .blocked(
                    TrustFinding(.invalidConfiguration, EmptyError().description), evaluation.chain,
                    evaluation.subject, evaluation.time, name: "composite")
            }
            switch rule {
            case .all: verdict.notices = notices
            case .any: verdict.notices += earlierRefusals
            }
            return verdict
        }
    }
}
