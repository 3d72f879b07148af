/// Which keys which hosts must show. An immutable value; a change is another policy.
public struct PinningPolicy: Hashable, Sendable {
    /// A name for logs and verdicts.
    public let name: String
    /// The rules, by the canonical text of their host.
    private let rulesByHost: [String: PinningRule]
    /// Keys that are refused wherever they appear on a path, whatever the rules say.
    public let denied: PinSet
    /// Whether a host without a rule is refused.
    public let requiresRuleForEveryHost: Bool

    /// Makes a policy. Throws ``PolicyError`` with every problem found: two rules for the same host, a rule without
    /// pins that is not an exclusion.
    public init(
        name: String, rules: [PinningRule], denied: [Pin] = [], requiresRuleForEveryHost: Bool = false
    ) throws(PolicyError) {
        var byHost: [String: PinningRule] = [:]
        var problems: [PolicyError.Problem] = []
        for (index, rule) in rules.enumerated() {
            if byHost.updateValue(rule, forKey: rule.host.text) != nil {
                problems.append(.init(path: "rules[\(index)].host", reason: "\(rule.host) has a rule already"))
            }
            if rule.pins.isEmpty, !rule.isExcluded {
                problems.append(.init(path: "rules[\(index)].pins", reason: "there is no pin for \(rule.host)"))
            }
        }
        guard problems.isEmpty else { throw PolicyError(problems: problems) }
        self.init(
            unchecked: name, rules: byHost, denied: PinSet(denied), requiresRuleForEveryHost: requiresRuleForEveryHost)
    }

    /// For the documented initialisers, which accept what a policy of Holdfast's own would refuse.
    init(
        unchecked name: String, rules: [String: PinningRule], denied: PinSet = PinSet([]),
        requiresRuleForEveryHost: Bool = false
    ) {
        self.name = name
        self.rulesByHost = rules
        self.denied = denied
        self.requiresRuleForEveryHost = requiresRuleForEveryHost
    }

    /// The rules, sorted by host.
    public var rules: [PinningRule] {
        rulesByHost.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The rule for a host: its own, else the one of the nearest parent that includes subdomains.
    public func rule(for host: CanonicalHost) -> PinningRule? {
        if let rule = rulesByHost[host.text] { return rule }
        guard !host.isIPLiteral else { return nil }
        var rest = host.text[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let rule = rulesByHost[String(rest)], rule.includesSubdomains { return rule }
        }
        return nil
    }
}
