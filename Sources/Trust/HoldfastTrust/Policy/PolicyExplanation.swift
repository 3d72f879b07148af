/// Why a policy says what it says about a host.
public struct PolicyExplanation: Hashable, Sendable, CustomStringConvertible {
    /// One rule that covers the host.
    public struct Step: Hashable, Sendable {
        /// The rule.
        public var rule: PinningRule
        /// Whether it takes part in the decision.
        public var counts: Bool
        /// Why, or why not.
        public var note: String
    }

    /// The host, in canonical form.
    public var host: CanonicalHost
    /// The time for which this holds.
    public var time: Timestamp
    /// The policy.
    public var policyName: String
    /// The rules that cover the host, the most specific first.
    public var considered: [Step]
    /// What follows, in a sentence.
    public var conclusion: String

    public var description: String {
        let steps = considered.map { step in
            "  \(step.counts ? "→" : " ") \(step.rule.pattern): \(step.note)"
        }
        return (["\(host) under \"\(policyName)\" at \(time)"] + steps + [conclusion]).joined(separator: "\n")
    }
}
