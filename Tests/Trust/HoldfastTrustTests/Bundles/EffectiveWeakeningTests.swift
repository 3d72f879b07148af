import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests bundles that keep a rule for each host but weaken a host, and bundles that change rules without weakening any
/// host.
@Suite("Weakened hosts")
struct EffectiveWeakeningTests {
    let now = CertificateFactory.referenceTime

    private var tomorrow: String { now.advanced(bySeconds: 86_400).description }
    private var yesterday: String { now.advanced(bySeconds: -86_400).description }

    /// Returns a rule with two pins.
    private func rule(_ host: String, _ fields: String...) -> String {
        let pins = (1...2).map { "\"\(SPKIDigest(hashing: [UInt8($0)]))\"" }.joined(separator: ", ")
        return object(host, ["\"pins\": [\(pins)]"] + fields)
    }

    /// Returns a rule with one pin for each scope.
    private func rule(_ host: String, scopes: [Pin.Scope], _ fields: String...) -> String {
        let pins = scopes.enumerated().map { index, scope in
            #"{"sha256": "\#(SPKIDigest(hashing: [UInt8(index)]).base64)", "scope": "\#(scope.rawValue)"}"#
        }
        return object(host, ["\"pins\": [\(pins.joined(separator: ", "))]"] + fields)
    }

    private func exclusion(_ host: String, _ fields: String...) -> String {
        object(host, ["\"excluded\": true"] + fields)
    }

    private func object(_ host: String, _ fields: [String]) -> String {
        "{" + (["\"host\": \"\(host)\""] + fields).joined(separator: ", ") + "}"
    }

    private let reportOnly = #""enforcement": "reportOnly""#
    private let below = #""depth": "anyDepth""#

    private func policy(_ rules: [String], refusingUnlisted: Bool = false, union: Bool = false) throws -> PinningPolicy
    {
        let hosts = refusingUnlisted ? "refuse" : "systemTrust"
        let precedence = union ? "union" : "mostSpecific"
        let text = """
            {"holdfast": 1, "name": "p", "backupPins": "off", "unlistedHosts": "\(hosts)",
            "precedence": "\(precedence)",
            "domains": [\(rules.joined(separator: ", "))]}
            """
        return try PinningPolicy(holdfastJSON: Array(text.utf8))
    }

    private func needed(_ old: PinningPolicy, _ new: PinningPolicy) -> BundlePermissions {
        PolicyWeakening.neededPermissions(from: old, to: new, at: now)
    }

    // MARK: - Rules of a parent that apply after a rule is removed

    @Test("detects a parent that only reports after a rule is removed")
    func parentReports() throws {
        let old = try policy([rule("pay.example.com"), rule("**.example.com", reportOnly)])
        let new = try policy([rule("**.example.com", reportOnly)])
        #expect(needed(old, new) == .reportOnly)
        #expect(
            PolicyWeakening.found(from: old, to: new, at: now, allowing: [])
                == "it only reports pin mismatches for pay.example.com")
    }

    @Test("detects an exclusion of a parent after a rule is removed, despite a new wider rule")
    func parentIsExcluded() throws {
        let old = try policy([rule("pay.example.com"), exclusion("example.com", below)])
        let new = try policy([exclusion("example.com", below), rule("**.com")])
        #expect(needed(old, new) == .unpin)
        #expect(
            PolicyWeakening.found(from: old, to: new, at: now, allowing: [])
                == "it excludes pay.example.com from pinning")
    }

    @Test("detects a parent whose pins expire tomorrow after a rule is removed")
    func parentEnds() throws {
        let old = try policy([rule("pay.example.com"), rule("**.example.com", #""expires": "\#(tomorrow)""#)])
        let new = try policy([rule("**.example.com", #""expires": "\#(tomorrow)""#), rule("**.com")])
        #expect(needed(old, new) == .unpin)
        #expect(
            PolicyWeakening.found(from: old, to: new, at: now, allowing: [])
                == "from \(tomorrow) on, its pins for pay.example.com have expired")
    }

    @Test("detects an exclusion that becomes report-only while the enforcing rule of a host is removed")
    func exclusionBecomesReportOnly() throws {
        let old = try policy([rule("pay.example.com"), exclusion("**.example.com")])
        let new = try policy([rule("**.example.com", reportOnly)])
        #expect(needed(old, new) == .reportOnly)
    }

    @Test("detects a parent with expired pins after a rule is removed")
    func parentHasExpired() throws {
        let old = try policy([rule("pay.example.com"), rule("**.example.com", #""expires": "\#(yesterday)""#)])
        let new = try policy([rule("**.example.com", #""expires": "\#(yesterday)""#), rule("**.com")])
        #expect(needed(old, new) == .unpin)
    }

    @Test("detects a parent that requires one match instead of a leaf pin and a CA pin")
    func parentNeedsFewerMatches() throws {
        let both = rule("pay.example.com", scopes: [.leaf, .ca], #""everyScopeMustMatch": true"#)
        let old = try policy([both, rule("**.example.com")])
        let new = try policy([rule("**.example.com")])
        #expect(needed(old, new) == .unpin)
        #expect(
            PolicyWeakening.found(from: old, to: new, at: now, allowing: [])
                == "it no longer requires a match on the server's own certificate for pay.example.com")
    }

    // MARK: - Hosts without a rule

    @Test("detects a refused host that becomes reachable when its pins expire, despite an unrelated expired rule")
    func refusedHostIsOpenedByExpiringPins() throws {
        let unrelated = rule("old.example", #""expires": "\#(yesterday)""#)
        let old = try policy([rule("example.com"), unrelated], refusingUnlisted: true)
        let soon = try policy(
            [rule("example.com"), unrelated, rule("**.net", #""expires": "\#(tomorrow)""#)], refusingUnlisted: true)
        #expect(needed(old, soon) == .unpin)
        let endless = try policy([rule("example.com"), unrelated, rule("**.org")], refusingUnlisted: true)
        #expect(needed(old, endless) == [])
    }

    @Test("an expired rule of the old policy does not refuse its host")
    func expiredRuleDoesNotRefuse() throws {
        let old = try policy(
            [rule("example.com"), rule("old.example", #""expires": "\#(yesterday)""#)], refusingUnlisted: true)
        let new = try policy([rule("example.com"), exclusion("old.example")], refusingUnlisted: true)
        #expect(needed(old, new) == [])
    }

    @Test("a rule may be removed if hosts without a rule are refused")
    func lostRuleIsRefused() throws {
        let old = try policy([rule("example.com"), rule("pay.example.com")], refusingUnlisted: true)
        #expect(needed(old, try policy([rule("example.com")], refusingUnlisted: true)) == [])
    }

    @Test("detects a refused host that becomes reachable through local anchors that bypass pins")
    func refusedHostIsOpenedByBypass() throws {
        let ca = try CertificateFactory().authority("Debugging proxy").view
        func policy(_ rules: [PinningRule]) throws -> PinningPolicy {
            try PinningPolicy(
                name: "p", rules: rules, requiresRuleForEveryHost: true, anchors: .dangerouslyBypassingPins([ca]),
                backupPins: .off)
        }
        func rule(_ host: String) throws -> PinningRule {
            PinningRule(host: try CanonicalHost(host), pins: PinSet([Pin(SPKIDigest(hashing: [1]))]))
        }
        let old = try policy([rule("example.com")])
        #expect(needed(old, try policy([rule("example.com"), rule("other.example")])) == .anchors)
        #expect(needed(old, old) == [])
    }

    // MARK: - Changes that weaken nothing

    @Test("a parent with equal requirements may replace a rule, and a rule may replace its parent")
    func equalSuccessor() throws {
        let part = try policy([rule("pay.example.com"), rule("**.example.com")])
        let whole = try policy([rule("**.example.com")])
        #expect(needed(part, whole) == [])
        #expect(needed(whole, part) == [])
    }

    @Test("an exclusion may become report-only, a report-only rule may enforce, and an expiration may be removed")
    func strengthening() throws {
        let end = #""expires": "\#(tomorrow)""#
        let steps = try [
            policy([exclusion("**.example.com"), rule("a.example")]),
            policy([rule("**.example.com", reportOnly, end), rule("a.example")]),
            policy([rule("**.example.com", end), rule("a.example")]),
            policy([rule("**.example.com"), rule("a.example")]),
            policy([rule("**.example.com"), rule("a.example")], refusingUnlisted: true),
        ]
        for (index, old) in steps.enumerated() {
            for (later, new) in steps.enumerated() where later != index {
                #expect(needed(old, new).isEmpty == (later > index), "\(index) to \(later)")
            }
        }
    }

    @Test("accepts the same requirement in another notation")
    func otherSpelling() throws {
        let required = try policy([rule("example.com", scopes: [.leaf], #""requiredScopes": ["leaf"]"#)])
        let plain = try policy([rule("example.com", scopes: [.leaf])])
        #expect(needed(required, plain) == [] && needed(plain, required) == [])
        let star = try policy([rule("**.example.com")])
        let split = try policy([rule("example.com"), rule("example.com", below)])
        #expect(needed(star, split) == [] && needed(split, star) == [])
    }

    @Test("detects pins that change from the server's own certificate to any certificate")
    func widerScope() throws {
        let leaf = try policy([rule("example.com", scopes: [.leaf])])
        let any = try policy([rule("example.com", scopes: [.any])])
        #expect(needed(leaf, any) == .unpin)
        #expect(needed(any, leaf) == [])
    }

    @Test("with union precedence, a rule may be removed if another one has its requirements")
    func union() throws {
        let end = #""expires": "\#(tomorrow)""#
        let old = try policy([rule("**.example.com"), rule("pay.example.com")], union: true)
        #expect(needed(old, try policy([rule("**.example.com"), rule("pay.example.com", end)], union: true)) == [])
        #expect(needed(old, try policy([rule("**.example.com", end), rule("pay.example.com")], union: true)) == .unpin)
        #expect(needed(old, try policy([rule("**.example.com"), rule("pay.example.com", end)])) == .unpin)
    }

    @Test("a key may be denied at more positions, but not at fewer")
    func deniedPlaces() throws {
        func policy(_ scopes: Pin.Scope...) throws -> PinningPolicy {
            try PinningPolicy(name: "p", rules: [], denied: scopes.map { Pin(SPKIDigest(hashing: [9]), scope: $0) })
        }
        #expect(needed(try policy(.leaf), try policy(.any)) == [])
        #expect(needed(try policy(.any), try policy(.leaf, .ca)) == [])
        #expect(needed(try policy(.any), try policy(.leaf)) == .unpin)
        #expect(needed(try policy(.leaf), try policy(.ca)) == .unpin)
    }

    @Test("an empty policy needs permission, even if the current policy is empty")
    func emptyPolicy() throws {
        let empty = try policy([])
        #expect(needed(empty, empty) == .unpin)
        #expect(needed(empty, try policy([exclusion("example.com")])) == .unpin)
        #expect(needed(empty, try policy([rule("example.com")])) == [])
        #expect(needed(empty, try policy([], refusingUnlisted: true)) == [])
        #expect(
            PolicyWeakening.found(from: empty, to: empty, at: now, allowing: [])
                == "it has no rules, denied keys or anchors")
    }

    // MARK: - Limits of host names

    @Test("ignores names that exceed the maximum length")
    func longNames() throws {
        let label = String(repeating: "a", count: 63)
        let longest = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        let exact = try policy([rule(longest)])
        let whole = try policy([rule("**." + longest)])
        #expect(needed(whole, exact) == [], "this host cannot have subdomains")
        let shorter = String(longest.dropFirst(2))
        #expect(needed(try policy([rule("**." + shorter)]), try policy([rule(shorter)])) == .unpin)
    }

    @Test("an address has no subdomains")
    func addresses() throws {
        let old = try policy([rule("192.0.2.1"), rule("2001:db8::1")])
        #expect(needed(old, try policy([rule("192.0.2.1"), rule("2001:db8::1"), exclusion("**.1.example")])) == [])
        #expect(needed(old, try policy([rule("192.0.2.1")])) == .unpin)
    }

    // MARK: - Cost

    /// Quadratic work would take minutes here: each of 20,000 hosts is covered by 20,000 rules with different
    /// expirations.
    @Test("the comparison of large policies takes linear time", .timeLimit(.minutes(1)))
    func largePolicies() throws {
        let pins = PinSet([Pin(SPKIDigest(hashing: [1])), Pin(SPKIDigest(hashing: [2]))])
        func policy(_ hosts: Range<Int>, from start: Int64) throws -> PinningPolicy {
            let parent = HostPattern(try CanonicalHost("example.com"), depth: .apexAndAnyDepth)
            let rules = (0..<20_000).map { index in
                PinningRule(parent, pins: pins, expires: now.advanced(bySeconds: start + Int64(index)))
            }
            let hosts = try hosts.map { PinningRule(HostPattern(try CanonicalHost("h\($0).example.com")), pins: pins) }
            return try PinningPolicy(name: "large", rules: rules + hosts, precedence: .union)
        }
        let old = try policy(0..<20_000, from: 0)
        #expect(needed(old, try policy(0..<20_000, from: 10)) == [])
        #expect(
            needed(old, try policy(1..<20_001, from: 10)) == .unpin,
            "h0 stays pinned until the pins of its parent expire")
    }

    @Test("the comparison of policies with the deepest hosts takes linear time", .timeLimit(.minutes(1)))
    func deepHosts() throws {
        let pins = PinSet([Pin(SPKIDigest(hashing: [1])), Pin(SPKIDigest(hashing: [2]))])
        let rules = try (0..<5_000).map { index in
            let labels = (0..<13).map { index >> $0 & 1 == 0 ? "a" : "b" } + Array(repeating: "c", count: 114)
            return PinningRule(
                HostPattern(try CanonicalHost(labels.joined(separator: ".")), depth: .apexAndAnyDepth), pins: pins)
        }
        let policy = try PinningPolicy(name: "deep", rules: rules)
        #expect(needed(policy, policy) == [])
    }
}
