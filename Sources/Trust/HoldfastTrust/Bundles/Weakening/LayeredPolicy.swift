/// A policy indexed by the hosts of its patterns, to look up its effect in a region of hosts.
struct LayeredPolicy: Sendable {
    /// For each host of a pattern: the rules that cover the host itself, one label below it, and further below.
    private var layers: [String: [RuleLayer?]] = [:]
    private let precedence: RulePrecedence
    private let unlisted: PolicyOutcome
    private let isDisabled: Bool

    /// Indexes the rules of a policy. Linear in the number of rules and pins.
    init(_ policy: PinningPolicy) {
        precedence = policy.precedence
        unlisted = policy.requiresRuleForEveryHost ? .refused(.withoutRule) : .open(.unlisted)
        isDisabled = policy.disabledReason != nil
        for rule in policy.rules {
            let profile = rule.isExcluded ? PinProfile() : PinProfile(rule)
            // Patterns do not distinguish two labels below their host from three.
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

    /// Returns the effect of the policy on the hosts that are `labels` labels below the first of `ancestors`.
    ///
    /// `ancestors` starts with the host of a pattern and continues with its parents. Each requires one lookup.
    func profile(_ ancestors: [String], labelsBelow labels: Int) -> RegionProfile {
        guard !isDisabled else { return .constant(.open(.disabled)) }
        var profile: PinProfile?
        for (labelsAbove, ancestor) in ancestors.enumerated() {
            guard let layer = layers[ancestor]?[min(labelsAbove + labels, 2)] else { continue }
            guard profile == nil else {
                profile?.formUnion(layer.profile)
                continue
            }
            // With either precedence, an exclusion applies only if it is the most specific rule.
            if layer.isExcluded { return .constant(.open(.excluded)) }
            if precedence == .mostSpecific { return .pinned(layer.profile) }
            profile = layer.profile
        }
        return profile.map { .pinned($0) } ?? .constant(unlisted)
    }
}

extension LayeredPolicy {
    /// Returns the required certificate timestamps of the hosts that are `labels` labels below the first of
    /// `ancestors`.
    func transparency(_ ancestors: [String], labelsBelow labels: Int) -> [TransparencyRequirement] {
        guard !isDisabled else { return [] }
        var found: [TransparencyRequirement] = []
        for (labelsAbove, ancestor) in ancestors.enumerated() {
            guard let layer = layers[ancestor]?[min(labelsAbove + labels, 2)] else { continue }
            if precedence == .mostSpecific { return layer.mostSpecificTransparency }
            found += layer.transparency
        }
        return found
    }
}

/// The rules of one policy for one host of a pattern that cover the hosts at one distance from it.
struct RuleLayer: Hashable, Sendable {
    /// Whether the most specific of the rules is an exclusion.
    private(set) var isExcluded: Bool
    /// The requirements of the rules that apply: the most specific rule under `mostSpecific`, all rules under `union`.
    private(set) var profile: PinProfile
    private var reach: Int
    /// The required certificate timestamps of all rules.
    private(set) var transparency: [TransparencyRequirement]
    /// Those of the most specific rule.
    private(set) var mostSpecificTransparency: [TransparencyRequirement]

    /// Creates a layer with one rule.
    init(_ rule: PinningRule, _ profile: PinProfile) {
        transparency = rule.transparency.map { [$0] } ?? []
        mostSpecificTransparency = transparency
        isExcluded = rule.isExcluded
        self.profile = profile
        reach = rule.pattern.depth.reach
    }

    /// Adds a rule. Rules are added in the order of the policy.
    mutating func add(_ rule: PinningRule, _ profile: PinProfile, _ precedence: RulePrecedence) {
        let reach = rule.pattern.depth.reach
        let isMoreSpecific = reach < self.reach
        let added = rule.transparency.map { [$0] } ?? []
        for requirement in added where !transparency.contains(requirement) { transparency.append(requirement) }
        if isMoreSpecific {
            mostSpecificTransparency = added
            self.reach = reach
            isExcluded = rule.isExcluded
        }
        switch precedence {
        case .mostSpecific: if isMoreSpecific { self.profile = profile }
        case .union: self.profile.formUnion(profile)
        }
    }
}
