import HoldfastTestSupport
import HoldfastTrust
import Testing

/// Tests which permissions a replacement needs according to the model. The expected results were determined by hand.
@Suite("Model of weakened policies")
struct WeakeningModelTests {
    private static let now = PolicyPairGenerator.now

    /// Returns a rule for `*.name`, `**.name` or `name`.
    private static func rule(
        _ pattern: String, _ scopes: [Pin.Scope] = [.any, .any], end: Int64? = nil
    ) throws -> PinningRule {
        let pins = scopes.enumerated().map { Pin(SPKIDigest(hashing: [UInt8($0)]), scope: $1) }
        return PinningRule(
            try HostPattern(pattern), pins: PinSet(pins), expires: end.map { now.advanced(bySeconds: $0) })
    }

    private static func excluded(_ pattern: String) throws -> PinningRule {
        .excluding(try HostPattern(pattern))
    }

    private static func reported(_ pattern: String, end: Int64? = nil) throws -> PinningRule {
        var rule = try rule(pattern, end: end)
        rule.enforcement = .reportOnly
        return rule
    }

    private static func both(_ pattern: String) throws -> PinningRule {
        var rule = try rule(pattern, [.leaf, .ca])
        rule.everyScopeMustMatch = true
        return rule
    }

    private static func policy(
        _ rules: [PinningRule], _ precedence: RulePrecedence = .mostSpecific, denied: [Pin] = [], refuses: Bool = false,
        anchors: LocalAnchors? = nil
    ) -> PinningPolicy {
        PinningPolicy(
            unchecked: "p", rules: rules, precedence: precedence, denied: PinSet(denied),
            requiresRuleForEveryHost: refuses, anchors: anchors)
    }

    private static func needed(from old: PinningPolicy, to new: PinningPolicy) -> BundlePermissions {
        WeakeningModel(PolicyPair(old: old, new: new, now: now)).needed
    }

    // MARK: - Removed rules

    /// In each case, the rule for one host is removed, and another rule of the new policy covers the host.
    @Test("the rule of a parent is a replacement only if it applies and has the same requirements")
    func successors() throws {
        let pay = try Self.rule("pay.example.com")
        let day: Int64 = 86_400
        let cases: [(old: [PinningRule], new: [PinningRule], needed: BundlePermissions)] = [
            // The parent only reports.
            (
                [pay, try Self.reported("**.example.com")], [try Self.reported("**.example.com")], [.reportOnly]
            ),
            // The parent excludes the host, and a rule further up does not apply.
            (
                [pay, try Self.excluded("**.example.com")],
                [try Self.excluded("**.example.com"), try Self.rule("**.com")], [.unpin]
            ),
            // The parent's pins expire tomorrow.
            (
                [pay, try Self.rule("**.example.com", end: day)],
                [try Self.rule("**.example.com", end: day), try Self.rule("**.com")], [.unpin]
            ),
            // The exclusion becomes report-only, and the enforced rule below it is removed.
            (
                [pay, try Self.excluded("**.example.com")], [try Self.reported("**.example.com")], [.reportOnly]
            ),
            // The parent's pins have expired.
            (
                [pay, try Self.rule("**.example.com", end: -day)],
                [try Self.rule("**.example.com", end: -day), try Self.rule("**.com")], [.unpin]
            ),
            // The parent accepts any match.
            (
                [try Self.both("pay.example.com"), try Self.rule("**.example.com")],
                [try Self.rule("**.example.com")], [.unpin]
            ),
            // The parent has the same requirements.
            ([pay, try Self.rule("**.example.com")], [try Self.rule("**.example.com")], []),
            ([pay], [try Self.rule("**.com")], []),
            ([pay], [try Self.rule("**.pay.example.com")], []),
            (
                [try Self.rule("**.example.com")], [try Self.rule("*.example.com"), try Self.rule("example.com")],
                [.unpin]
            ),
        ]
        for (number, entry) in cases.enumerated() {
            let found = Self.needed(from: Self.policy(entry.old), to: Self.policy(entry.new))
            #expect(found == entry.needed, "case \(number)")
        }
    }

    // MARK: - A changed rule

    @Test("expirations, enforcement, exclusions and depth of one rule")
    func oneRule() throws {
        let day: Int64 = 86_400
        let pinned = try Self.rule("**.example.com")
        let cases: [(old: PinningRule, new: PinningRule, needed: BundlePermissions)] = [
            (pinned, try Self.rule("**.example.com", end: 1_000 * day), [.unpin]),
            (try Self.rule("**.example.com", end: day), pinned, []),
            (try Self.rule("**.example.com", end: day), try Self.rule("**.example.com", end: day), []),
            (try Self.rule("**.example.com", end: day), try Self.rule("**.example.com", end: day - 1), [.unpin]),
            (try Self.rule("**.example.com", end: 0), try Self.rule("**.example.com", end: -day), []),
            (try Self.rule("**.example.com", end: 1), try Self.rule("**.example.com", end: 0), [.unpin]),
            (pinned, try Self.reported("**.example.com"), [.reportOnly]),
            (pinned, try Self.reported("**.example.com", end: day), [.reportOnly, .unpin]),
            (try Self.reported("**.example.com"), pinned, []),
            (try Self.reported("**.example.com"), try Self.rule("**.example.com", end: day), [.unpin]),
            (pinned, try Self.excluded("a.example.com"), [.unpin]),
            (try Self.excluded("a.example.com"), pinned, []),
            (pinned, try Self.rule("*.example.com"), [.unpin]),
            (try Self.rule("*.example.com"), pinned, []),
            (try Self.rule("192.0.2.1"), try Self.rule("192.0.2.2"), [.unpin]),
        ]
        for (number, entry) in cases.enumerated() {
            let found = Self.needed(from: Self.policy([entry.old]), to: Self.policy([entry.new]))
            #expect(found == entry.needed, "case \(number)")
        }
    }

    @Test("scopes of required matches")
    func scopes() throws {
        let host = "example.com"
        var required = try Self.rule(host, [.leaf, .ca, .any])
        required.requiredScopes = [.leaf]
        var missing = try Self.rule(host, [.leaf])
        missing.requiredScopes = [.ca]
        var reportedMissing = missing
        reportedMissing.enforcement = .reportOnly
        var empty = try Self.rule(host, [])
        empty.requiredScopes = [.any]
        var reportedEmpty = empty
        reportedEmpty.enforcement = .reportOnly
        let both = try Self.both(host)
        let any = try Self.rule(host)
        let cases: [(old: PinningRule, new: PinningRule, needed: BundlePermissions)] = [
            (any, try Self.rule(host, [.leaf]), []), (any, try Self.rule(host, [.ca]), []),
            (try Self.rule(host, [.leaf]), any, [.unpin]), (try Self.rule(host, [.ca]), any, [.unpin]),
            (try Self.rule(host, [.leaf]), try Self.rule(host, [.ca]), [.unpin]),
            (try Self.rule(host, [.leaf]), try Self.rule(host, [.leaf, .any]), [.unpin]),
            (try Self.rule(host, [.leaf, .ca]), any, []), (try Self.rule(host, [.leaf]), required, []),
            (required, try Self.rule(host, [.leaf]), []), (both, required, [.unpin]), (required, both, []),
            (both, any, [.unpin]), (any, both, []),
            // A requirement that no key can meet is stronger than every other one, and is not a minimum for its
            // successor.
            (both, missing, []), (missing, any, []), (empty, any, []), (any, empty, []), (both, reportedEmpty, []),
            (reportedEmpty, any, []), (reportedEmpty, try Self.reported(host), [.reportOnly]),
            (missing, try Self.reported(host), [.reportOnly]), (reportedMissing, try Self.reported(host), []),
            (try Self.reported(host), reportedMissing, []), (any, reportedMissing, [.reportOnly]),
            (both, try Self.reported(host), [.reportOnly, .unpin]),
        ]
        for (number, entry) in cases.enumerated() {
            let found = Self.needed(from: Self.policy([entry.old]), to: Self.policy([entry.new]))
            #expect(found == entry.needed, "case \(number)")
        }
    }

    @Test("hosts that were refused because they had no rule")
    func refusedHosts() throws {
        let old = Self.policy([try Self.rule("example.com"), try Self.rule("old.example", end: -1)], refuses: true)
        func needed(_ rules: [PinningRule], refuses: Bool = true) throws -> BundlePermissions {
            let kept = [try Self.rule("example.com"), try Self.rule("old.example", end: -1)]
            return Self.needed(from: old, to: Self.policy(kept + rules, refuses: refuses))
        }
        #expect(try needed([]) == [])
        #expect(try needed([], refuses: false) == .unpin)
        #expect(try needed([try Self.rule("b.example")]) == [])
        #expect(try needed([try Self.rule("b.example", end: 60)]) == .unpin)
        #expect(try needed([try Self.rule("b.example", end: -60)]) == .unpin)
        #expect(try needed([try Self.excluded("b.example")]) == .unpin)
        #expect(try needed([try Self.reported("b.example")]) == .reportOnly)
        // An expired rule already accepts the host today. Without the rule the host is refused.
        let without = Self.policy([try Self.rule("example.com")], refuses: true)
        #expect(Self.needed(from: old, to: without) == [])
    }

    @Test("union adds requirements, and one enforcing rule is sufficient")
    func union() throws {
        let wide = try Self.rule("**.example.com", [.any])
        let leaf = try Self.rule("a.example.com", [.leaf])
        let reported = try Self.reported("a.example.com")
        func needed(_ old: [PinningRule], _ new: [PinningRule], _ precedence: RulePrecedence) -> BundlePermissions {
            Self.needed(from: Self.policy(old, .union), to: Self.policy(new, precedence))
        }
        #expect(needed([wide, leaf], [wide, leaf], .mostSpecific) == [])
        #expect(needed([leaf], [wide, leaf], .union) == .unpin)
        #expect(needed([wide, reported], [wide, reported], .union) == [])
        #expect(needed([wide, reported], [wide, reported], .mostSpecific) == .reportOnly)
        #expect(needed([wide], [wide, try Self.excluded("a.example.com")], .union) == .unpin)
        #expect(needed([wide], [wide, try Self.excluded("**.com")], .union) == [])
        // The rule that remains covers the hosts of the rule that expires.
        #expect(needed([wide, leaf], [wide, try Self.rule("a.example.com", [.any], end: 5)], .union) == [])
        #expect(needed([wide, leaf], [wide, try Self.rule("a.example.com", [.any], end: 5)], .mostSpecific) == .unpin)
    }

    // MARK: - The whole policy

    @Test("denied keys must stay denied in the same scopes")
    func deniedKeys() throws {
        let digest = SPKIDigest(hashing: [7])
        let rules = [try Self.rule("example.com")]
        func needed(_ old: [Pin], _ new: [Pin]) -> BundlePermissions {
            Self.needed(from: Self.policy(rules, denied: old), to: Self.policy(rules, denied: new))
        }
        let (any, leaf, above) = (Pin(digest), Pin(digest, scope: .leaf), Pin(digest, scope: .ca))
        #expect(needed([any], []) == .unpin && needed([any], [leaf]) == .unpin && needed([leaf], [above]) == .unpin)
        #expect(needed([any], [leaf, above]) == [] && needed([leaf], [any]) == [] && needed([], [any]) == [])
        #expect(needed([any], [Pin(digest.sha256, domain: .rawKey)]) == .unpin)
    }

    @Test("anchors must not cover more hosts or require fewer pins")
    func anchors() throws {
        let factory = CertificateFactory()
        let first = try factory.authority("First").view
        let second = try factory.authority("Second").view
        let rules = [try Self.rule("example.com")]
        func needed(_ old: LocalAnchors?, _ new: LocalAnchors?, refuses: Bool = false) -> BundlePermissions {
            Self.needed(
                from: Self.policy(rules, refuses: refuses, anchors: old),
                to: Self.policy(rules, refuses: refuses, anchors: new))
        }
        let bypassed = LocalAnchors([first], pinning: .dangerouslyBypassed)
        let noticed = LocalAnchors([first], pinning: .dangerouslyBypassedAndReported)
        #expect(needed(nil, .additional([first])) == .anchors)
        #expect(needed(.additional([first]), nil) == [])
        #expect(needed(.additional([first]), .only([first])) == [])
        #expect(needed(.only([first]), .additional([first])) == .anchors)
        #expect(needed(.only([first]), nil) == .anchors)
        #expect(needed(.only([first, second]), .only([first])) == [])
        #expect(needed(.only([first]), .only([second])) == .anchors)
        #expect(needed(.additional([first]), noticed) == .anchors)
        #expect(needed(noticed, bypassed) == .anchors)
        #expect(needed(bypassed, noticed) == [] && needed(bypassed, .additional([first])) == [])
    }

    @Test("a bypassed anchor accepts a host that was refused because it had no rule")
    func bypassedAnchors() throws {
        let certificate = try CertificateFactory().authority("First").view
        let anchors = LocalAnchors([certificate], pinning: .dangerouslyBypassed)
        let old = Self.policy([try Self.rule("example.com")], refuses: true, anchors: anchors)
        let new = Self.policy(
            [try Self.rule("example.com"), try Self.rule("b.example")], refuses: true, anchors: anchors)
        #expect(Self.needed(from: old, to: old) == [])
        #expect(Self.needed(from: old, to: new) == .anchors)
    }

    @Test("an empty policy needs a permission")
    func emptyPolicy() throws {
        let empty = Self.policy([])
        #expect(Self.needed(from: empty, to: empty) == .unpin)
        #expect(Self.needed(from: empty, to: Self.policy([try Self.excluded("example.com")])) == .unpin)
        #expect(Self.needed(from: empty, to: .disabled(reason: "test")) == .unpin)
        #expect(Self.needed(from: empty, to: Self.policy([], refuses: true)) == [])
        #expect(Self.needed(from: empty, to: Self.policy([], anchors: .additional([]))) == .unpin)
        #expect(Self.needed(from: empty, to: Self.policy([], anchors: .only([]))) == [])
        #expect(Self.needed(from: empty, to: Self.policy([], denied: [Pin(SPKIDigest(hashing: [1]))])) == [])
        #expect(Self.needed(from: .disabled(reason: "test"), to: Self.policy([try Self.rule("example.com")])) == [])
    }

    @Test("a replacement needs only the required permissions")
    func permissions() throws {
        var pair = PolicyPair(
            old: Self.policy([try Self.rule("example.com")]), new: Self.policy([try Self.reported("example.com")]),
            now: Self.now)
        #expect(!WeakeningModel.accepts(pair))
        pair.permissions = [.unpin, .anchors]
        #expect(!WeakeningModel.accepts(pair))
        pair.permissions = [.reportOnly]
        #expect(WeakeningModel.accepts(pair))
    }
}
