import HoldfastTrust

/// Several evaluators of a case, and the rule that combines them: that of `CompositeEvaluator`.
struct EvaluatorList: Hashable {
    /// How the results are combined.
    enum Rule: String, Hashable, CaseIterable {
        /// Each evaluator must accept the server. They run in order, and the first refusal is the result.
        case all
        /// One evaluator must accept the server. They run in order, and the first acceptance is the result.
        case any
    }

    /// One evaluator.
    enum Member: Hashable {
        /// Only the system verification.
        case system
        /// A policy, as in the field `policy`.
        case policy(EvaluationPolicy)
    }

    /// The maximum number of evaluators of a case. The answer to a case with more is an error.
    static let limit = 100

    /// The rule.
    var rule: Rule
    /// The evaluators, in the order in which they run.
    var members: [Member]

    /// Whether the system verification can take part.
    var usesSystemVerification: Bool {
        members.contains { member in
            guard case .policy(let policy) = member else { return true }
            return policy.usesSystemVerification
        }
    }

    /// Whether each evaluator has the mode `pinnedKeysOnly`, so that inputs of the system verification have no effect.
    var isPinnedKeysOnly: Bool {
        !members.isEmpty
            && members.allSatisfy { member in
                guard case .policy(let policy) = member else { return false }
                return policy.mode == .pinnedKeysOnly
            }
    }
}

extension EvaluatorList: Decodable {
    private enum Keys: String, CodingKey {
        case rule, members
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        guard let rule: Rule = try fields.choice(.rule) else { throw CaseError("evaluators.rule is missing") }
        self.rule = rule
        members = try fields.decode([Member].self, forKey: .members)
        guard members.count <= Self.limit else {
            throw CaseError("evaluators.members has more than \(Self.limit) elements")
        }
    }
}

extension EvaluatorList.Member: Decodable {
    init(from decoder: any Decoder) throws {
        guard let text = try? decoder.singleValueContainer().decode(String.self) else {
            self = .policy(try EvaluationPolicy(from: decoder))
            return
        }
        guard text == "system" else {
            throw CaseError("\(CaseError.path(decoder.codingPath)) must be an object or \"system\"")
        }
        self = .system
    }
}

/// A member of a case's evaluators: evaluates a chain in a context of its own, with the inputs of the case.
struct CaseMember: ContextEvaluator {
    /// A member always runs inside the composite, which calls ``judge(_:)``.
    struct NotInContext: Error {}

    let context: TrustContext

    func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation {
        context.judge(evaluation.chain, for: evaluation.subject, at: evaluation.time)
    }

    func evaluate(_ trust: ServerTrust, forHost host: String) async throws { throw NotInContext() }
}
