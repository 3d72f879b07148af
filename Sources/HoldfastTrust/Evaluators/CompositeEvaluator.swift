/// Several evaluators as one: all must accept, or one.
///
/// In a transport the system verification runs first, as for every custom evaluator, unless all members are Holdfast's
/// own: those run it themselves where their mode has one, and then the answer comes at once. An empty composite
/// refuses every server. Members are asked in the order given, one after the other.
public struct CompositeEvaluator: ServerTrustEvaluator {
    enum Rule: Hashable, Sendable { case all, any }

    private let members: [any ServerTrustEvaluator]
    private let rule: Rule

    /// Accepts what every member accepts, and throws what the first one throws that does not.
    public static func all(_ members: [any ServerTrustEvaluator]) -> CompositeEvaluator {
        CompositeEvaluator(members: members, rule: .all)
    }

    /// Accepts what one member accepts; if none does, throws what the last one threw.
    public static func any(_ members: [any ServerTrustEvaluator]) -> CompositeEvaluator {
        CompositeEvaluator(members: members, rule: .any)
    }

    /// Asks the members. Throws what they throw, or ``CompositeEvaluator/EmptyError`` if there are none.
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

    /// The members as Holdfast's own, if all of them are.
    private var own: [any VerdictEvaluator]? {
        let own = members.compactMap { $0 as? any VerdictEvaluator }
        return own.count == members.count ? own : nil
    }

    /// The verdict, if all members are Holdfast's own; else `nil`.
    func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, anchors: TrustAnchors
    ) -> TrustVerdict? {
        guard let own else { return nil }
        var last = TrustVerdict.blocked(
            TrustFinding(.invalidConfiguration, EmptyError().description), chain, subject, time, name: "composite")
        var refusals: [TrustFinding] = []
        for (index, member) in own.enumerated() {
            let verdict = member.verdict(on: chain, for: subject, at: time, anchors: anchors)
            switch (rule, verdict.permitsConnection) {
            case (.all, false), (.any, true): return verdict
            case (.all, true): break
            case (.any, false): if index > 0 { refusals.append(last.finding) }
            }
            last = verdict
        }
        last.notices += refusals
        return last
    }
}
