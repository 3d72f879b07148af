/// What a policy says about one host at one time.
struct PolicyResolution: Hashable, Sendable {
    /// What applies.
    enum Outcome: Hashable, Sendable {
        /// Pinning is switched off, for this reason.
        case disabled(String)
        /// No rule covers the host.
        case unlisted
        /// The rule that counts leaves the host out.
        case excluded(PinningRule)
        /// The rules that count have expired.
        case expired(PinningRule)
        /// These pins apply.
        case pinned(PinRequirement)
    }

    var outcome: Outcome
    /// The rules that were decisive, the most specific first.
    var rules: [PinningRule]
}

/// The pins that a path must satisfy.
struct PinRequirement: Hashable, Sendable {
    /// One match in each set.
    var sets: [PinSet]
    /// All pins, for texts.
    var all: PinSet
    /// What goes into the verdict.
    var facts: PinningFacts

    var enforcement: PinningRule.Enforcement { facts.enforcement }
    var notedHost: CanonicalHost { facts.notedHost }

    /// The pins that match, one for each set; `nil` unless every set has one.
    func match(on path: VerifiedPath) -> Pin? {
        var first: Pin?
        for set in sets {
            guard let pin = set.match(on: path) else { return nil }
            first = first ?? pin
        }
        return first
    }
}

extension PinningPolicy {
    /// What applies to a host at a time.
    func resolve(_ host: CanonicalHost, at time: Timestamp) -> PolicyResolution {
        if let disabledReason { return PolicyResolution(outcome: .disabled(disabledReason), rules: []) }
        let covering = rules(covering: host)
        guard let first = covering.first else { return PolicyResolution(outcome: .unlisted, rules: []) }
        switch precedence {
        case .mostSpecific: return resolve([first], at: time)
        case .union:
            // An exclusion can only mean something for the host that it names: then it is the most specific rule.
            if first.isExcluded { return resolve([first], at: time) }
            return resolve(covering.filter { !$0.isExcluded }, at: time)
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

    /// Which rule counts for a host at a time, and why: for people who wonder.
    public func explain(_ host: CanonicalHost, at time: Timestamp) -> PolicyExplanation {
        let resolution = resolve(host, at: time)
        let covering = rules(covering: host)
        let considered = covering.map { rule in
            PolicyExplanation.Step(
                rule: rule, counts: resolution.rules.contains(rule), note: note(on: rule, resolution, at: time))
        }
        return PolicyExplanation(
            host: host, time: time, policyName: name, considered: considered,
            conclusion: conclusion(of: resolution, host))
    }

    private func note(on rule: PinningRule, _ resolution: PolicyResolution, at time: Timestamp) -> String {
        if rule.isExpired(at: time), let expires = rule.expires { return "expired at \(expires)" }
        if resolution.rules.contains(rule) {
            return rule.isExcluded ? "leaves the host out" : "applies"
        }
        return precedence == .mostSpecific ? "a more specific rule comes first" : "does not count"
    }

    private func conclusion(of resolution: PolicyResolution, _ host: CanonicalHost) -> String {
        switch resolution.outcome {
        case .disabled(let reason): return "Pinning is switched off (\(reason)); system verification decides."
        case .unlisted:
            return requiresRuleForEveryHost
                ? "No rule covers \(host), and the policy requires one: every connection is refused."
                : "No rule covers \(host); system verification decides."
        case .excluded(let rule): return "The rule for \(rule.pattern) leaves \(host) out; system verification decides."
        case .expired(let rule):
            return
                "The rule for \(rule.pattern) has expired; its pins no longer apply, and system verification decides."
        case .pinned(let requirement):
            let count = requirement.all.pins.count
            let effect =
                requirement.enforcement == .enforce
                ? "a connection without a match is refused" : "a connection without a match is only reported"
            let each = requirement.sets.count > 1 ? ", one match in each scope needed" : ""
            return
                "\(count) pin\(count == 1 ? " applies" : "s apply") by the rule for \(requirement.notedHost)\(each); \(effect)."
        }
    }
}

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
