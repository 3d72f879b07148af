/// Combines several evaluators: either all must accept the server, or one must.
///
/// In a context, every member uses the context's anchors and time. Custom members run after the system verification, as
/// everywhere; Holdfast's own evaluators run it themselves if their mode requires it. Members run in the given order,
/// one after the other. The result is available synchronously if every member responds synchronously. An empty
/// composite refuses every server.
public struct CompositeEvaluator: ContextEvaluator {
    enum Rule: Hashable, Sendable { case all, any }

    private let members: [any ServerTrustEvaluator]
    private let rule: Rule

    /// Creates a composite that accepts a server if every member accepts it. Throws the error of the first member that
    /// refuses it.
    ///
    /// A revocation check that follows other members checks the path that they accepted.
    public static func all(_ members: [any ServerTrustEvaluator]) -> CompositeEvaluator {
        CompositeEvaluator(members: members, rule: .all)
    }

    /// Creates a composite that accepts a server if one member accepts it. If none does, throws the error of the last
    /// member.
    public static func any(_ members: [any ServerTrustEvaluator]) -> CompositeEvaluator {
        CompositeEvaluator(members: members, rule: .any)
    }

    /// Runs the members. Outside a context, each member uses its own anchors and clock.
    ///
    /// - Throws: The error of a member, or ``CompositeEvaluator/EmptyError`` if there are no members.
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

    /// The composite does not have members and therefore refuses every server.
    ///
    /// - Remedy: Add a member.
    public struct EmptyError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The reason as text.
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

    /// The results of the members so far.
    private struct Tally: Sendable {
        let rule: Rule
        var evaluation: EvaluationRequest
        var last: TrustVerdict?
        var earlierRefusals: [TrustFinding] = []
        var notices: [TrustFinding] = []
        /// The earliest time from which the verdict of a member is not valid.
        var validUntil: Timestamp?

        /// Adds a verdict. Returns the verdict of the composite if this decides it, otherwise `nil`.
        mutating func take(_ verdict: TrustVerdict) -> TrustVerdict? {
            switch (rule, verdict.permitsConnection) {
            case (.all, false), (.any, true): return verdict
            case (.all, true):
                // Notices of earlier members are kept.
                notices += verdict.notices.filter { !notices.contains($0) }
                if verdict.path != nil { evaluation.accepted = verdict }
                validUntil = [validUntil, verdict.validUntil].compactMap(\.self).min()
            case (.any, false):
                if let last { earlierRefusals.append(last.finding) }
            }
            last = verdict
            return nil
        }

        /// The verdict of the composite if no single member decided it.
        var conclusion: TrustVerdict {
            guard var verdict = last else {
                return .blocked(
                    TrustFinding(.invalidConfiguration, EmptyError().description), evaluation.chain,
                    evaluation.subject, evaluation.time, name: "composite")
            }
            switch rule {
            case .all:
                verdict.notices = notices
                verdict.validUntil = validUntil
            case .any: verdict.notices += earlierRefusals
            }
            return verdict
        }
    }
}
