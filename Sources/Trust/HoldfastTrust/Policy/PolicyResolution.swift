/// The part of a policy that applies to one host at one time.
struct PolicyResolution: Hashable, Sendable {
    /// The result of the resolution.
    enum Outcome: Hashable, Sendable {
        /// Pinning is disabled for this reason.
        case disabled(String)
        /// The host is not covered by a rule.
        case unlisted
        /// The rule that applies excludes the host.
        case excluded(PinningRule)
        /// The rules that apply have expired.
        case expired(PinningRule)
        /// These pins apply.
        case pinned(PinRequirement)
    }

    var outcome: Outcome
    /// The rules that determined the outcome, the most specific first.
    var rules: [PinningRule]
    /// The required certificate timestamps. All requirements must be met.
    var transparency: [TransparencyRequirement] = []
}

extension PinningPolicy {
    /// Returns what applies to a host at a time.
    func resolve(_ host: CanonicalHost, at time: Timestamp) -> PolicyResolution {
        if let disabledReason { return PolicyResolution(outcome: .disabled(disabledReason), rules: []) }
        let covering = rules(covering: host)
        guard let first = covering.first else { return PolicyResolution(outcome: .unlisted, rules: []) }
        var resolution: PolicyResolution
        switch precedence {
        // An exclusion has an effect only if it is the most specific rule.
        case .union where !first.isExcluded: resolution = resolve(covering.filter { !$0.isExcluded }, at: time)
        case .mostSpecific, .union: resolution = resolve([first], at: time)
        }
        resolution.transparency = PinningPolicy.transparency(of: covering, precedence)
        return resolution
    }

    /// Returns the required certificate timestamps for a host that the given rules cover, the most specific first. They
    /// do not depend on time. Under `union`, an exclusion excludes the host from pins only.
    static func transparency(of covering: [PinningRule], _ precedence: RulePrecedence) -> [TransparencyRequirement] {
        guard let first = covering.first else { return [] }
        if precedence == .mostSpecific { return first.transparency.map { [$0] } ?? [] }
        var distinct: [TransparencyRequirement] = []
        for rule in covering {
            if let wanted = rule.transparency, !distinct.contains(wanted) { distinct.append(wanted) }
        }
        return distinct
    }

    /// Returns whether connections to a host without a matching pin are refused at a time. Also true for a host without
    /// a rule if the policy requires one, because every connection to it is refused.
    package func enforcesPins(on host: CanonicalHost, at time: Timestamp) -> Bool {
        switch resolve(host, at: time).outcome {
        case .pinned(let requirement): requirement.enforcement == .enforce
        case .unlisted: requiresRuleForEveryHost
        case .disabled, .excluded, .expired: false
        }
    }

    private func resolve(_ rules: [PinningRule], at time: Timestamp) -> PolicyResolution {
        if let excluded = rules.first(where: \.isExcluded) {
            return PolicyResolution(outcome: .excluded(excluded), rules: rules)
        }
        let current = rules.filter { !$0.isExpired(at: time) }
        guard let first = current.first else {
            return PolicyResolution(outcome: rules.first.map { .expired($0) } ?? .unlisted, rules: rules)
        }
        let all = current.count == 1 ? first.pins : PinSet(current.flatMap(\.pins.pins))
        var sets = [all]
        let required = current.reduce(into: Set<Pin.Scope>()) { $0.formUnion($1.requiredScopes) }
        let byScope = Dictionary(grouping: all.pins, by: \.scope)
        let eachCounts = current.contains(where: \.everyScopeMustMatch)
        let scopes = Pin.Scope.allCases.filter { required.contains($0) || eachCounts && byScope[$0] != nil }
        if !scopes.isEmpty { sets = scopes.map { PinSet(byScope[$0] ?? []) } }
        let facts = PinningFacts(
            notedHost: first.host, includesSubdomains: first.pattern.depth != .exact,
            enforcement: current.contains { $0.enforcement == .enforce } ? .enforce : .reportOnly, pins: all,
            expires: current.compactMap(\.expires).min(), reportURIs: current.flatMap(\.reportURIs))
        let requirement = PinRequirement(sets: all.isEmpty ? [all] : sets, all: all, facts: facts)
        return PolicyResolution(outcome: .pinned(requirement), rules: current)
    }
}

/// The pins that a path must match.
struct PinRequirement: Hashable, Sendable {
    /// The sets of pins, each of which must have a match.
    var sets: [PinSet]
    /// All pins, for messages.
    var all: PinSet
    /// The facts for the verdict.
    var facts: PinningFacts

    var enforcement: PinningRule.Enforcement { facts.enforcement }
    var notedHost: CanonicalHost { facts.notedHost }

    /// Returns a matching pin if every set has a match, otherwise `nil`.
    func match(on path: VerifiedPath) -> Pin? {
        var first: Pin?
        for set in sets {
            guard let pin = set.match(on: path) else { return nil }
            first = first ?? pin
        }
        return first
    }
}
