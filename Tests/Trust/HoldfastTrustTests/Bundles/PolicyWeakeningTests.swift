import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests each loss of protection that a bundle needs permission for.
@Suite("Losses of protection")
struct PolicyWeakeningTests {
    let now = CertificateFactory.referenceTime
    let ca: CertificateView
    let other: CertificateView

    init() throws {
        ca = try CertificateFactory().authority("One").view
        other = try CertificateFactory().authority("Two").view
    }

    private func rule(_ host: String, below: Bool = false, expires: Timestamp? = nil) throws -> PinningRule {
        var rule = PinningRule(
            host: try CanonicalHost(host), includesSubdomains: below, pins: PinSet([Pin(SPKIDigest(hashing: [1]))]))
        rule.expires = expires
        return rule
    }

    private func policy(
        _ rules: [PinningRule], denied: [Pin] = [], all: Bool = false, _ anchors: LocalAnchors? = nil,
        precedence: RulePrecedence = .mostSpecific
    ) throws -> PinningPolicy {
        try PinningPolicy(
            name: "p", rules: rules, precedence: precedence, denied: denied, requiresRuleForEveryHost: all,
            anchors: anchors, backupPins: .off)
    }

    /// Expects that the change requires exactly this permission.
    private func expect(
        _ permission: BundlePermissions, from old: PinningPolicy, to new: PinningPolicy,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        func loss(_ allowed: BundlePermissions) -> String? {
            PolicyWeakening.found(from: old, to: new, at: now, allowing: allowed)
        }
        let all: BundlePermissions = [.unpin, .reportOnly, .anchors]
        if permission.isEmpty {
            #expect(loss([]) == nil, sourceLocation: sourceLocation)
        } else {
            #expect(loss(all.subtracting(permission)) != nil, sourceLocation: sourceLocation)
            #expect(loss(permission) == nil, sourceLocation: sourceLocation)
        }
    }

    @Test("trust anchors")
    func anchors() throws {
        let rules = [try rule("example.com")]
        let none = try policy(rules)
        let only = try policy(rules, .only([ca]))
        expect(.anchors, from: none, to: try policy(rules, .additional([ca])))
        expect(.anchors, from: only, to: none)
        expect(.anchors, from: only, to: try policy(rules, .additional([ca])))
        expect(.anchors, from: only, to: try policy(rules, .only([ca, other])))
        expect([], from: try policy(rules, .additional([ca])), to: none)
        expect([], from: try policy(rules, .only([ca, other])), to: only)
        let reported = try policy(rules, .dangerouslyBypassingPins([ca]))
        expect(.anchors, from: try policy(rules, .additional([ca])), to: reported)
        let silent = try policy(rules, LocalAnchors([ca], pinning: .dangerouslyBypassed))
        expect(.anchors, from: reported, to: silent)
        expect([], from: silent, to: reported)
    }

    @Test("denied keys, and the requirement of a rule for every host")
    func denials() throws {
        let rules = [try rule("example.com")]
        let denied = Pin(SPKIDigest(hashing: [9]))
        expect(.unpin, from: try policy(rules, denied: [denied]), to: try policy(rules))
        expect([], from: try policy(rules), to: try policy(rules, denied: [denied]))
        expect(.unpin, from: try policy(rules, all: true), to: try policy(rules))
    }

    @Test("pins that expire earlier, for the host itself and for some of the covered hosts")
    func expiry() throws {
        let soon = now.advanced(bySeconds: 10)
        let late = now.advanced(bySeconds: 20)
        let old = try policy([rule("example.com", below: true, expires: late)])
        expect([], from: old, to: try policy([rule("example.com", below: true)]))
        expect([], from: old, to: try policy([rule("example.com", below: true, expires: late)]))
        expect(.unpin, from: old, to: try policy([rule("example.com", below: true, expires: soon)]))
        let part = [try rule("example.com", below: true), try rule("pay.example.com", expires: soon)]
        expect(.unpin, from: old, to: try policy(part))
        // With union precedence, the rule for all hosts continues to apply after the other one expires.
        expect([], from: old, to: try policy(part, precedence: .union))
    }

    @Test("an expired old rule protects nothing")
    func expiredBefore() throws {
        let old = try policy([rule("example.com", expires: now)])
        expect([], from: old, to: try policy([rule("other.example")]))
    }

    @Test("a weaker existing rule that becomes the only rule")
    func precedence() throws {
        let soon = now.advanced(bySeconds: 10)
        let whole = try rule("example.com", below: true)
        var reported = try rule("pay.example.com")
        reported.enforcement = .reportOnly
        let old = try policy([whole, reported], precedence: .union)
        expect([], from: old, to: old)
        expect(.reportOnly, from: old, to: try policy([whole, reported]))
        let ending = [whole, try rule("pay.example.com", expires: soon)]
        expect(.unpin, from: try policy(ending, precedence: .union), to: try policy(ending))
        let equal = [whole, try rule("pay.example.com")]
        expect([], from: try policy(equal, precedence: .union), to: try policy(equal))
    }

    @Test("a host without a rule was refused, and gets a rule that accepts it")
    func admission() throws {
        let pinned = try rule("example.com", expires: now.advanced(bySeconds: 20))
        let old = try policy([pinned], all: true)
        func with(_ rule: PinningRule) throws -> PinningPolicy { try policy([pinned, rule], all: true) }
        expect([], from: old, to: try with(rule("other.example")))
        // The refusal does not expire, but pins with an expiration would accept the host later.
        expect(.unpin, from: old, to: try with(rule("other.example", expires: now.advanced(bySeconds: 20))))
        expect(.unpin, from: old, to: try with(.excluding(HostPattern("other.example"))))
        expect(.unpin, from: old, to: try with(rule("other.example", expires: now)))
        expect(.unpin, from: old, to: try with(rule("other.example", expires: now.advanced(bySeconds: 10))))
        var reported = try rule("other.example")
        reported.enforcement = .reportOnly
        expect(.reportOnly, from: old, to: try with(reported))
        // Servers that are accepted already may be accepted again.
        let open = try policy([pinned, .excluding(HostPattern("**.other.example"))], all: true)
        expect(
            [], from: open, to: try policy([pinned, .excluding(HostPattern("*.other.example"))], all: true))
    }
}
