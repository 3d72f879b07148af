import HoldfastTestSupport
import HoldfastTrust
import Testing

/// Compares the indexed lookup of a host's rules with a check of every rule.
@Suite("Lookup of a host")
struct HostLookUpTests {
    private static let hosts = [
        "example.com", "a.example.com", "b.a.example.com", "c.b.a.example.com", "com", "xexample.com", "example.org",
        "a.example.org", "localhost", "192.0.2.1", "1.example.com", "2001:db8::1",
    ]

    /// Returns the rules that cover the host: longest host first, then smallest reach first, then in the given order.
    private static func naive(_ rules: [PinningRule], _ host: CanonicalHost) -> [PinningRule] {
        func reach(_ rule: PinningRule) -> Int { HostPattern.Depth.allCases.firstIndex(of: rule.pattern.depth) ?? -1 }
        return rules.enumerated().filter { $0.element.pattern.covers(host) }.sorted { left, right in
            let lengths = (left.element.host.text.utf8.count, right.element.host.text.utf8.count)
            guard lengths.0 == lengths.1 else { return lengths.0 > lengths.1 }
            return (reach(left.element), left.offset) < (reach(right.element), right.offset)
        }.map(\.element)
    }

    @Test("finds the same rules in the same order as a check of every rule", arguments: 0..<10)
    func agreement(block: Int) throws {
        var random = SeededGenerator(seed: UInt64(block))
        var found = 0
        for _ in 0..<40 {
            let precedence = Bool.random(using: &random) ? RulePrecedence.union : .mostSpecific
            var seen: Set<HostPattern> = []
            var rules: [PinningRule] = []
            for index in 0..<Int.random(in: 0...12, using: &random) {
                let host = try CanonicalHost(Self.hosts[Int.random(in: 0..<Self.hosts.count, using: &random)])
                let depths = HostPattern.Depth.allCases
                let pattern = HostPattern(host, depth: depths[Int.random(in: 0..<depths.count, using: &random)])
                guard seen.insert(pattern).inserted || precedence == .union else { continue }
                let isExcluded = Int.random(in: 0..<4, using: &random) == 0
                let pins = PinSet(isExcluded ? [] : [Pin(SPKIDigest(hashing: [UInt8(index)]))])
                rules.append(PinningRule(pattern, pins: pins, isExcluded: isExcluded))
            }
            let policy = try PinningPolicy(name: "random", rules: rules, precedence: precedence, backupPins: .off)
            for text in Self.hosts {
                let host = try CanonicalHost(text)
                let answer = policy.rules(covering: host)
                found += answer.count
                #expect(answer == Self.naive(rules, host), "\(host) under \(rules.map(\.pattern))")
            }
        }
        #expect(found > 100)
    }
}
