import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests that the index finds the same rules for a host as a check of every rule.
@Suite("Rules for a host")
struct PolicyLookupTests {
    static let labels = ["a", "b", "xn--bcher-kva", "com", "example"]

    /// Returns a name of one to four labels from a small set, so that names often overlap.
    private static func name(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in labels.randomElement(using: &random) ?? "a" }
            .joined(separator: ".")
    }

    /// Compares label by label, in the simplest possible way.
    private static func covers(_ pattern: HostPattern, _ host: CanonicalHost) -> Bool {
        let upper = pattern.host.text.split(separator: ".")
        let lower = host.text.split(separator: ".")
        guard lower.count >= upper.count, lower.suffix(upper.count) == upper[...] else { return false }
        let below = lower.count - upper.count
        switch pattern.depth {
        case .exact: return below == 0
        case .oneLabel: return below == 1
        case .apexAndOneLabel: return below <= 1
        case .anyDepth: return below >= 1
        case .apexAndAnyDepth: return true
        }
    }

    @Test("the index agrees with a check of every rule, and sorts by specificity", arguments: 0..<40)
    func agreement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var patterns: Set<HostPattern> = []
        for _ in 0..<30 {
            let depth = HostPattern.Depth.allCases.randomElement(using: &random) ?? .exact
            patterns.insert(HostPattern(try CanonicalHost(Self.name(&random)), depth: depth))
        }
        let rules = patterns.shuffled(using: &random).map {
            PinningRule($0, pins: PinSet([Pin(SPKIDigest(hashing: [1]))]))
        }
        let policy = try PinningPolicy(name: "p", rules: rules, backupPins: .off)
        for _ in 0..<60 {
            let host = try CanonicalHost(Self.name(&random))
            let found = policy.rules(covering: host)
            #expect(Set(found.map(\.pattern)) == Set(patterns.filter { Self.covers($0, host) }), "\(host)")
            #expect(found.allSatisfy { $0.pattern.covers(host) })
            let lengths = found.map(\.host.text.utf8.count)
            #expect(lengths == lengths.sorted(by: >), "the longest host first")
            // The explanation for users and the engine select the same rule.
            let explained = policy.explain(host, at: CertificateFactory.referenceTime)
            #expect(explained.considered.map(\.rule) == found)
            #expect(explained.considered.count(where: \.counts) == min(1, found.count))
        }
    }

    @Test("patterns reach and overlap as their hosts do", arguments: 0..<20)
    func relations(seed: UInt64) throws {
        var random = SeededGenerator(seed: 500 + seed)
        for _ in 0..<40 {
            let pair = try (0..<2).map { _ in
                HostPattern(
                    try CanonicalHost(Self.name(&random)),
                    depth: HostPattern.Depth.allCases.randomElement(using: &random) ?? .exact)
            }
            // Includes every host that could distinguish the patterns: the host of each pattern, with up to three
            // labels in front.
            let hosts = try pair.flatMap { pattern in
                try ["", "q.", "q.q.", "q.q.q."].map { try CanonicalHost($0 + pattern.host.text) }
            }
            let (first, second) = (pair[0], pair[1])
            let isReached = hosts.allSatisfy { !Self.covers(second, $0) || Self.covers(first, $0) }
            #expect(first.reaches(second) == isReached, "\(first) \(second)")
            let meet = hosts.contains { Self.covers(first, $0) && Self.covers(second, $0) }
            #expect(first.overlaps(second) == meet && second.overlaps(first) == meet, "\(first) \(second)")
        }
    }

    @Test("an address has no subdomains and no parent domain")
    func addresses() throws {
        let address = HostPattern(try CanonicalHost("192.0.2.1"), depth: .apexAndAnyDepth)
        let name = HostPattern(try CanonicalHost("x"), depth: .apexAndAnyDepth)
        let rules = [address, name].map { PinningRule($0, pins: PinSet([Pin(SPKIDigest(hashing: [1]))])) }
        let policy = try PinningPolicy(name: "p", rules: rules, backupPins: .off)
        #expect(address.depth == .exact)
        #expect(policy.rules(covering: try CanonicalHost("192.0.2.1")).map(\.pattern) == [address])
        #expect(policy.rules(covering: try CanonicalHost("[::ffff:192.0.2.1]")).map(\.pattern) == [address])
        #expect(policy.rules(covering: try CanonicalHost("192.0.2.2")).isEmpty)
    }

    @Test("union adds the pins of all rules; otherwise only the most specific rule applies")
    func precedence() throws {
        let wide = PinningRule(
            host: try CanonicalHost("example.com"), includesSubdomains: true,
            pins: PinSet([Pin(SPKIDigest(hashing: [1]))]), enforcement: .reportOnly)
        let narrow = PinningRule(
            host: try CanonicalHost("a.example.com"), pins: PinSet([Pin(SPKIDigest(hashing: [2]))]))
        let excluded = PinningRule.excluding(HostPattern(try CanonicalHost("b.example.com")))
        let now = CertificateFactory.referenceTime
        func pins(_ precedence: RulePrecedence, _ host: String) throws -> (Set<Pin>, PinningRule.Enforcement)? {
            let policy = try PinningPolicy(
                name: "p", rules: [wide, narrow, excluded], precedence: precedence, backupPins: .off)
            guard case .pinned(let requirement) = policy.resolve(try CanonicalHost(host), at: now).outcome else {
                return nil
            }
            return (requirement.all.pins, requirement.enforcement)
        }
        let union = try #require(try pins(.union, "a.example.com"))
        #expect(union.0 == wide.pins.pins.union(narrow.pins.pins))
        #expect(union.1 == .enforce, "one enforcing rule is sufficient")
        #expect(try pins(.mostSpecific, "a.example.com")?.0 == narrow.pins.pins)
        #expect(try pins(.mostSpecific, "c.example.com")?.1 == .reportOnly)
        for precedence in [RulePrecedence.union, .mostSpecific] {
            #expect(try pins(precedence, "b.example.com") == nil, "an exclusion of the host itself takes precedence")
        }
    }
}
