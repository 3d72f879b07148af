package import HoldfastTrust

/// A model of what a policy requires for a host at a time, according to `Policy-Format.md` in the catalogue of
/// HoldfastTrust. It checks every rule and uses no index.
///
/// The tests compare decisions of HoldfastTrust with this model. Therefore it uses only the plain values of policies,
/// rules and pins from HoldfastTrust.
package struct PolicyModel {
    /// The outcome for a connection to a host.
    package enum Outcome: Hashable, Sendable {
        /// Pins do not apply, and system verification decides.
        case open(Reason)
        /// Every connection is refused, because the policy has no rule for the host.
        case refused
        /// Pins apply.
        case pinned(Demand)
    }

    /// The reason why no pin applies.
    package enum Reason: Hashable, Sendable {
        case unlisted
        case excluded
        case expired
        case disabled
    }

    /// The requirements of the pins that apply.
    package struct Demand: Hashable, Sendable {
        /// Whether a connection without a match is refused. If not, it is only reported.
        package var isEnforced: Bool
        /// Sets of pins. A path must match one pin of each set. An empty set never matches.
        package var groups: [Set<Pin>]
        /// Whether there are no pins. Every connection is then refused, even in report-only mode.
        package var isEmpty: Bool

        /// Whether no path can match.
        package var isImpossible: Bool { groups.contains(where: \.isEmpty) }
    }

    private let policy: PinningPolicy
    private let hosts: [ModelHost]

    /// Creates a model of a policy.
    package init(_ policy: PinningPolicy) {
        self.policy = policy
        hosts = policy.rules.map { ModelHost($0.host) }
    }

    /// Returns what the policy requires for a host at a time.
    package func outcome(for host: ModelHost, at time: Timestamp) -> Outcome {
        outcome(of: covering(host), at: time)
    }

    /// Returns what the rules require for a host that all of them cover. The most specific rule comes first.
    func outcome(of rules: [PinningRule], at time: Timestamp) -> Outcome {
        if policy.disabledReason != nil { return .open(.disabled) }
        guard let first = rules.first else { return policy.requiresRuleForEveryHost ? .refused : .open(.unlisted) }
        // With `union`, an exclusion only counts in the most specific rule.
        if first.isExcluded { return .open(.excluded) }
        let counting = policy.precedence == .mostSpecific ? [first] : rules.filter { !$0.isExcluded }
        let current = counting.filter { rule in
            guard let end = rule.expires else { return true }
            return time.secondsSince1970 < end.secondsSince1970
        }
        if current.isEmpty { return .open(.expired) }
        return .pinned(PolicyModel.demand(of: current))
    }

    /// Returns the required certificate timestamps of a host that all of these rules cover. The most specific rule
    /// comes first.
    func transparency(of rules: [PinningRule]) -> Set<TransparencyRequirement> {
        if policy.disabledReason != nil { return [] }
        guard let first = rules.first else { return [] }
        let counting = policy.precedence == .mostSpecific ? [first] : rules
        return Set(counting.compactMap(\.transparency))
    }

    private static func demand(of rules: [PinningRule]) -> Demand {
        var pins: Set<Pin> = []
        var required: Set<Pin.Scope> = []
        var eachScope = false
        var isEnforced = false
        for rule in rules {
            pins.formUnion(rule.pins.pins)
            required.formUnion(rule.requiredScopes)
            if rule.everyScopeMustMatch { eachScope = true }
            if rule.enforcement == .enforce { isEnforced = true }
        }
        if pins.isEmpty { return Demand(isEnforced: isEnforced, groups: [[]], isEmpty: true) }
        if eachScope { required.formUnion(pins.map(\.scope)) }
        guard !required.isEmpty else { return Demand(isEnforced: isEnforced, groups: [pins], isEmpty: false) }
        let groups = Pin.Scope.allCases.filter(required.contains).map { scope in pins.filter { $0.scope == scope } }
        return Demand(isEnforced: isEnforced, groups: groups, isEmpty: false)
    }

    /// Returns the rules that cover a host, the most specific first.
    func covering(_ host: ModelHost) -> [PinningRule] {
        var found: [(labels: Int, reach: Int, place: Int)] = []
        for (place, rule) in policy.rules.enumerated() {
            guard let below = host.labelsBelow(hosts[place]) else { continue }
            let reach = PolicyModel.reach(of: rule.pattern.depth)
            guard reach.levels.contains(below) else { continue }
            found.append((hosts[place].labels.count, reach.order, place))
        }
        // The longest host comes first. For equal hosts, the rule with the smallest reach comes first, then the order
        // in the file.
        found.sort { ($1.labels, $0.reach, $0.place) < ($0.labels, $1.reach, $1.place) }
        return found.map { policy.rules[$0.place] }
    }

    private static func reach(of depth: HostPattern.Depth) -> (order: Int, levels: ClosedRange<Int>) {
        switch depth {
        case .exact: (0, 0...0)
        case .oneLabel: (1, 1...1)
        case .apexAndOneLabel: (2, 0...1)
        case .anyDepth: (3, 1...Int.max)
        case .apexAndAnyDepth: (4, 0...Int.max)
        }
    }
}

/// A host in the model: its labels, top level first, or an IP address.
package struct ModelHost: Hashable, Sendable {
    /// The host.
    package let host: CanonicalHost
    /// The labels of a name, top level first; the whole text of an IP address.
    let labels: [Substring]

    /// Splits a host into labels.
    package init(_ host: CanonicalHost) {
        self.host = host
        labels = host.isIPLiteral ? [host.text[...]] : host.text.split(separator: ".").reversed()
    }

    /// Returns how many labels the host has below `upper`; `nil` if it is neither `upper` nor below it.
    func labelsBelow(_ upper: ModelHost) -> Int? {
        if host.isIPLiteral || upper.host.isIPLiteral { return host == upper.host ? 0 : nil }
        guard labels.count >= upper.labels.count, labels.prefix(upper.labels.count) == upper.labels[...] else {
            return nil
        }
        return labels.count - upper.labels.count
    }
}
