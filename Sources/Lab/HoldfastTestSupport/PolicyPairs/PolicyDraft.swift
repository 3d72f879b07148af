import HoldfastTrust

/// The parts of a policy that the generator changes.
struct PolicyDraft {
    var rules: [PinningRule] = []
    var precedence: RulePrecedence = .mostSpecific
    var refusesUnlisted = false
    var denied: Set<Pin> = []
    var anchors: LocalAnchors?
    var isDisabled = false

    /// Adds a rule, unless there is one for its pattern.
    mutating func add(_ rule: PinningRule?) {
        guard let rule, !rules.contains(where: { $0.pattern == rule.pattern }) else { return }
        rules.append(rule)
    }

    /// The policy. A policy file may pin less than `unchecked` lets through, but every policy file has such a value.
    var policy: PinningPolicy {
        if isDisabled { return .disabled(reason: "generated") }
        return PinningPolicy(
            unchecked: "generated", rules: rules, precedence: precedence, denied: PinSet(denied),
            requiresRuleForEveryHost: refusesUnlisted, anchors: anchors)
    }
}
