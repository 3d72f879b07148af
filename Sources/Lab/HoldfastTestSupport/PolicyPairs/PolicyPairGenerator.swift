package import HoldfastTrust

/// Generates pairs of overlapping policies. The same seed generates the same pairs.
///
/// In most pairs, the new policy is the old one after one to three changes. Some pairs have only changes that keep or
/// add protection, and some have any changes. A few have two unrelated policies. This way, both accepted and refused
/// replacements are frequent.
package struct PolicyPairGenerator {
    /// The time of every pair.
    package static let now = CertificateFactory.referenceTime

    /// Certificates for local anchors. They are minted once, because a pair only needs distinct certificates.
    private static let certificates: [CertificateView] = {
        let factory = CertificateFactory()
        return ["Anchor A", "Anchor B"].compactMap { try? factory.authority($0).view }
    }()

    var random: SeededGenerator

    /// Starts a sequence of pairs.
    package init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Returns the next pair.
    package mutating func next() -> PolicyPair {
        let old = draft()
        var new = old
        var changes: [String] = []
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: apply(PolicyChange.keeping, to: &new, &changes)
        case 30..<95: apply(PolicyChange.allCases, to: &new, &changes)
        default:
            new = draft()
            changes = ["unrelated policy"]
        }
        return PolicyPair(
            old: old.policy, new: new.policy, permissions: permissions(), now: PolicyPairGenerator.now,
            changes: changes)
    }

    private mutating func apply(_ stock: [PolicyChange], to draft: inout PolicyDraft, _ changes: inout [String]) {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let change = stock.randomElement(using: &random) else { continue }
            make(change, in: &draft)
            changes.append(change.rawValue)
        }
    }

    // MARK: - Values

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func permissions() -> BundlePermissions {
        guard chance(35) else { return [] }
        var result: BundlePermissions = []
        for permission in [BundlePermissions.unpin, .reportOnly, .anchors] where chance(45) {
            result.insert(permission)
        }
        return result
    }

    private mutating func draft() -> PolicyDraft {
        var draft = PolicyDraft()
        for _ in 0..<Int.random(in: 1...5, using: &random) { draft.add(rule()) }
        draft.precedence = chance(15) ? .union : .mostSpecific
        draft.refusesUnlisted = chance(30)
        if chance(20) { draft.denied.insert(pin()) }
        if chance(10) { draft.denied.insert(pin()) }
        if chance(20) { draft.anchors = anchors() }
        if chance(1) { draft.isDisabled = true }
        return draft
    }

    mutating func host() -> CanonicalHost? {
        let names = [
            "com", "example.com", "pay.example.com", "a.pay.example.com", "api.example.com", "b.a.pay.example.com",
            "example.org", "org", "192.0.2.1", "2001:db8::1",
        ]
        let weights = [2, 6, 8, 5, 4, 2, 2, 1, 1, 1]
        var place = Int.random(in: 0..<weights.reduce(0, +), using: &random)
        for (name, weight) in zip(names, weights) {
            if place < weight { return try? CanonicalHost(name) }
            place -= weight
        }
        return nil
    }

    mutating func depth() -> HostPattern.Depth {
        let depths: [HostPattern.Depth] = [
            .exact, .exact, .exact, .oneLabel, .apexAndOneLabel, .anyDepth, .apexAndAnyDepth, .apexAndAnyDepth,
            .apexAndAnyDepth,
        ]
        return depths.randomElement(using: &random) ?? .exact
    }

    mutating func pin() -> Pin {
        let scopes: [Pin.Scope] = [.any, .any, .leaf, .ca]
        return Pin(
            SPKIDigest(hashing: [UInt8.random(in: 0..<6, using: &random)]),
            scope: scopes.randomElement(using: &random) ?? .any)
    }

    mutating func pins() -> Set<Pin> {
        var pins: Set<Pin> = []
        for _ in 0..<Int.random(in: 1...3, using: &random) { pins.insert(pin()) }
        return pins
    }

    /// Returns an expiry that is in the past, close or far away. The result is never `nil`.
    mutating func end() -> Timestamp? {
        let seconds: [Int64] = [
            -8_640_000, -1, 0, 1, 86_400, 86_400, 172_800, 2_592_000, 2_592_000, 315_360_000, 315_360_001,
        ]
        return seconds.randomElement(using: &random).map { PolicyPairGenerator.now.advanced(bySeconds: $0) }
    }

    mutating func rule() -> PinningRule? {
        guard let host = host() else { return nil }
        let pattern = HostPattern(host, depth: depth())
        if chance(15) {
            var rule = PinningRule.excluding(pattern)
            if chance(30) { rule.transparency = transparency() }
            return rule
        }
        var rule = PinningRule(pattern, pins: PinSet(pins()))
        if chance(20) { rule.enforcement = .reportOnly }
        if chance(40) { rule.expires = end() }
        if chance(20) { rule.everyScopeMustMatch = true }
        if chance(12) { rule.requiredScopes.insert(Pin.Scope.allCases.randomElement(using: &random) ?? .any) }
        if chance(20) { rule.transparency = transparency() }
        if chance(3) {
            rule.pins = PinSet([])
            rule.requiredScopes = [.any]
        }
        return rule
    }

    mutating func transparency() -> TransparencyRequirement {
        let counts = (0..<3).map { _ in Int.random(in: 1...4, using: &random) }
        let own = TransparencyCounts(
            timestamps: counts[0], timestampsOver180Days: max(counts[0], counts[1]), operators: counts[2],
            requiresRFC6962Log: chance(30))
        let policies: [TransparencyRequirement.Policy] = [.chrome, .chrome, .apple, .custom(own)]
        return TransparencyRequirement(
            policies.randomElement(using: &random) ?? .chrome, enforcement: chance(20) ? .reportOnly : .enforce,
            localAnchors: chance(20) ? .exempt : .required)
    }

    mutating func anchors() -> LocalAnchors {
        var certificates = PolicyPairGenerator.certificates
        if chance(50), !certificates.isEmpty { certificates.remove(at: chance(50) ? 0 : certificates.count - 1) }
        let pinning: [LocalAnchors.Pinning] = [
            .enforced, .enforced, .dangerouslyBypassed, .dangerouslyBypassedAndReported,
        ]
        return LocalAnchors(
            certificates, replaceOthers: chance(35), pinning: pinning.randomElement(using: &random) ?? .enforced)
    }
}

/// The parts of a policy that the generator changes.
struct PolicyDraft {
    var rules: [PinningRule] = []
    var precedence: RulePrecedence = .mostSpecific
    var refusesUnlisted = false
    var denied: Set<Pin> = []
    var anchors: LocalAnchors?
    var isDisabled = false

    /// Adds a rule, unless a rule for its pattern exists.
    mutating func add(_ rule: PinningRule?) {
        guard let rule, !rules.contains(where: { $0.pattern == rule.pattern }) else { return }
        rules.append(rule)
    }

    /// The policy, created with `unchecked`. That initializer accepts every policy that a file can contain, and more.
    var policy: PinningPolicy {
        if isDisabled { return .disabled(reason: "generated") }
        return PinningPolicy(
            unchecked: "generated", rules: rules, precedence: precedence, denied: PinSet(denied),
            requiresRuleForEveryHost: refusesUnlisted, anchors: anchors)
    }
}
