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
        reach = RuleLayer.reach(of: rule)
    }

    /// Adds a rule. Rules are added in the order of the policy.
    mutating func add(_ rule: PinningRule, _ profile: PinProfile, _ precedence: RulePrecedence) {
        let reach = RuleLayer.reach(of: rule)
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

    private static func reach(of rule: PinningRule) -> Int {
        HostPattern.Depth.allCases.firstIndex(of: rule.pattern.depth) ?? HostPattern.Depth.allCases.count
    }
}
