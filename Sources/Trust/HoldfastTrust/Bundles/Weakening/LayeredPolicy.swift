/// A policy by the hosts of its patterns, for looking up what it does in a region of hosts.
struct LayeredPolicy: Sendable {
    /// For each host of a pattern the rules that reach the host itself, one label below it, and further below.
    private var layers: [String: [RuleLayer?]] = [:]
    private let precedence: RulePrecedence
    private let unlisted: PolicyOutcome
    private let isDisabled: Bool

    /// Sorts the rules of a policy: linear in the number of rules and pins.
    init(_ policy: PinningPolicy) {
        precedence = policy.precedence
        unlisted = policy.requiresRuleForEveryHost ? .refused(.withoutRule) : .open(.unlisted)
        isDisabled = policy.disabledReason != nil
        for rule in policy.rules {
            let profile = rule.isExcluded ? PinProfile() : PinProfile(rule)
            // No pattern tells two labels below its host from three.
            for labels in 0...2 where rule.pattern.depth.covers(labelsBelow: labels) {
                add(rule, profile, labelsBelow: labels)
            }
        }
    }

    private mutating func add(_ rule: PinningRule, _ profile: PinProfile, labelsBelow labels: Int) {
        var known = layers.removeValue(forKey: rule.host.text) ?? [nil, nil, nil]
        if var layer = known[labels] {
            layer.add(rule, profile, precedence)
            known[labels] = layer
        } else {
            known[labels] = RuleLayer(rule, profile)
        }
        layers[rule.host.text] = known
    }

    /// What the policy does with the hosts that are `labels` labels below the first of `ancestors`, which starts with the host of a
    /// pattern and goes upwards. Takes one look-up for each of them.
    func profile(_ ancestors: [String], labelsBelow labels: Int) -> RegionProfile {
        guard !isDisabled else { return .constant(.open(.disabled)) }
        var profile: PinProfile?
        for (labelsAbove, ancestor) in ancestors.enumerated() {
            guard let layer = layers[ancestor]?[min(labelsAbove + labels, 2)] else { continue }
            guard profile == nil else {
                profile?.formUnion(layer.profile)
                continue
            }
            // With either precedence an exclusion counts only as the most specific rule.
            if layer.isExcluded { return .constant(.open(.excluded)) }
            if precedence == .mostSpecific { return .pinned(layer.profile) }
            profile = layer.profile
        }
        return profile.map { .pinned($0) } ?? .constant(unlisted)
    }
}

/// The rules of one policy for one host of a pattern that reach the hosts at one distance from it.
struct RuleLayer: Hashable, Sendable {
    /// Whether the most specific of the rules is an exclusion.
    private(set) var isExcluded: Bool
    /// What the rules that count demand: under `mostSpecific` the most specific rule, under `union` all of them.
    private(set) var profile: PinProfile
    private var reach: Int

    /// Starts with a rule.
    init(_ rule: PinningRule, _ profile: PinProfile) {
        isExcluded = rule.isExcluded
        self.profile = profile
        reach = rule.pattern.depth.reach
    }

    /// Adds a rule. Rules are added in the order of the policy.
    mutating func add(_ rule: PinningRule, _ profile: PinProfile, _ precedence: RulePrecedence) {
        let reach = rule.pattern.depth.reach
        let isMoreSpecific = reach < self.reach
        if isMoreSpecific {
            self.reach = reach
            isExcluded = rule.isExcluded
        }
        switch precedence {
        case .mostSpecific: if isMoreSpecific { self.profile = profile }
        case .union: self.profile.formUnion(profile)
        }
    }
}
