/// An explanation of a policy's effect on a host.
public struct PolicyExplanation: Hashable, Sendable, CustomStringConvertible {
    /// A rule that covers the host.
    public struct Step: Hashable, Sendable {
        /// The rule.
        public var rule: PinningRule
        /// Whether the rule takes part in the decision.
        public var counts: Bool
        /// The reason why the rule does or does not apply.
        public var note: String
    }

    /// The host in canonical form.
    public var host: CanonicalHost
    /// The time of the explanation.
    public var time: Timestamp
    /// The name of the policy.
    public var policyName: String
    /// The rules that cover the host, the most specific first.
    public var considered: [Step]
    /// The effect of the policy, as a sentence.
    public var conclusion: String

    /// A textual representation of the value.
    public var description: String {
        let steps = considered.map { step in
            "  \(step.counts ? "→" : " ") \(step.rule.pattern): \(step.note)"
        }
        return (["\(host) under \"\(policyName)\" at \(time)"] + steps + [conclusion]).joined(separator: "\n")
    }
}

extension PinningPolicy {
    /// Returns an explanation of which rule applies to a host at a time.
    public func explain(_ host: CanonicalHost, at time: Timestamp) -> PolicyExplanation {
        let resolution = resolve(host, at: time)
        let covering = rules(covering: host)
        let considered = covering.map { rule in
            PolicyExplanation.Step(
                rule: rule, counts: resolution.rules.contains(rule), note: note(on: rule, resolution, at: time))
        }
        return PolicyExplanation(
            host: host, time: time, policyName: name, considered: considered,
            conclusion: conclusion(of: resolution, host) + PinningPolicy.sentence(on: resolution.transparency))
    }

    /// Returns a sentence about the required certificate timestamps, with a leading space, or an empty text.
    private static func sentence(on requirements: [TransparencyRequirement]) -> String {
        guard !requirements.isEmpty else { return "" }
        let texts = requirements.map { requirement in
            let report = requirement.enforcement == .reportOnly ? ", only reported" : ""
            let local = requirement.localAnchors == .exempt ? ", not for local anchors" : ""
            return requirement.policyText + report + local
        }
        return " Certificate timestamps are required by \(texts.joined(separator: " and by "))."
    }

    private func note(on rule: PinningRule, _ resolution: PolicyResolution, at time: Timestamp) -> String {
        if rule.isExpired(at: time), let expires = rule.expires { return "expired at \(expires)" }
        if resolution.rules.contains(rule) {
            guard rule.isExcluded else { return "applies" }
            return rule.transparency == nil ? "excludes the host" : "excludes the host from pins"
        }
        return precedence == .mostSpecific ? "a more specific rule takes precedence" : "does not apply"
    }

    private func conclusion(of resolution: PolicyResolution, _ host: CanonicalHost) -> String {
        switch resolution.outcome {
        case .disabled(let reason): return "Pinning is disabled (\(reason)); system verification decides."
        case .unlisted:
            return requiresRuleForEveryHost
                ? "No rule covers \(host), and the policy requires one: every connection is refused."
                : "No rule covers \(host); system verification decides."
        case .excluded(let rule): return "The rule for \(rule.pattern) excludes \(host); system verification decides."
        case .expired(let rule):
            return
                "The rule for \(rule.pattern) has expired; its pins no longer apply, and system verification decides."
        case .pinned(let requirement):
            let count = requirement.all.pins.count
            let effect =
                requirement.enforcement == .enforce
                ? "a connection without a match is refused" : "a connection without a match is only reported"
            let each = requirement.sets.count > 1 ? ", one match required in each scope" : ""
            return
                "\(count) pin\(count == 1 ? " applies" : "s apply") by the rule for "
                + "\(requirement.notedHost)\(each); \(effect)."
        }
    }
}
