import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Decisions under a policy")
struct PolicyEvaluationTests {
    let scene = TrustScene()
    let root: Identity
    let issuing: Identity
    let server: Identity
    let stranger: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        issuing = try scene.factory.intermediate("Issuing", signedBy: root)
        server = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
        stranger = try scene.factory.authority("Stranger")
    }

    private func judge(
        _ policy: PinningPolicy, anchors: [Identity]? = nil, host: String = TrustScene.host, at time: Timestamp? = nil
    ) throws -> TrustVerdict {
        try scene.pinned([server, issuing], anchors: anchors ?? [root], under: policy, host: host, at: time)
    }

    // MARK: - Enforcement

    @Test("report-only accepts a mismatch with a notice, and refuses an invalid chain")
    func reportOnly() throws {
        let policy = try scene.policy([Pin(stranger)]) { $0.enforcement = .reportOnly }
        let mismatch = try judge(policy)
        #expect(mismatch.decision == .allow)
        #expect(mismatch.finding.code == .pinMismatch)
        #expect(mismatch.systemFinding?.code == .validPath)
        let invalid = try judge(policy, anchors: [stranger])
        expectOnly(.unknownIssuer, invalid)
        expectOnly(.hostMismatch, try judge(policy.covering("other.example.com"), host: "other.example.com"))
    }

    @Test("pins expire at the exact instant; then system verification decides, and the verdict states the reason")
    func expiry() throws {
        let end = scene.now.advanced(bySeconds: 60)
        let policy = try scene.policy([Pin(stranger)]) { $0.expires = end }
        expectOnly(.pinMismatch, try judge(policy, at: end.advanced(bySeconds: -1)))
        let expired = try judge(policy, at: end)
        #expect(expired.decision == .notPinned)
        #expect(expired.finding.code == .policyExpired)
        #expect(expired.finding.reason.contains("\(end)"))
        #expect(expired.systemFinding?.code == .validPath)
        #expect(expired.permitsConnection)
        let invalid = try judge(policy, anchors: [stranger], at: end)
        #expect(invalid.decision == .notPinned)
        #expect(!invalid.permitsConnection)
    }

    @Test("an excluded host uses system verification")
    func excluded() throws {
        let policy = try scene.policy([]) { $0.isExcluded = true }
        let verdict = try judge(policy)
        #expect(verdict.decision == .notPinned)
        #expect(verdict.finding.code == .excluded)
        #expect(verdict.permitsConnection)
        #expect(try !judge(policy, anchors: [stranger]).permitsConnection)
    }

    @Test("an unlisted host uses system verification, or is refused if the policy requires a rule for every host")
    func unlisted() throws {
        for isRequired in [false, true] {
            let rule = PinningRule(host: try CanonicalHost("other.example.org"), pins: PinSet([Pin(stranger)]))
            let policy = try PinningPolicy(
                name: "test policy", rules: [rule], requiresRuleForEveryHost: isRequired, backupPins: .off)
            let verdict = try judge(policy)
            #expect(verdict.finding.code == (isRequired ? .policyRequired : .notPinned))
            #expect(verdict.permitsConnection == !isRequired)
        }
    }

    // MARK: - Rule selection

    @Test(
        "subdomains at any depth, with the most specific rule first",
        arguments: [
            ("example.com", "apex"), ("a.example.com", "apex"), ("b.a.example.com", "apex"),
            ("chat.example.com", "chat"), ("x.chat.example.com", "apex"), ("free.example.com", nil),
            ("x.free.example.com", nil), ("notexample.com", nil), ("EXAMPLE.com.", "apex"),
        ] as [(String, String?)])
    func rules(host: String, expected: String?) throws {
        let apex = PinningRule(
            host: try CanonicalHost("example.com"), includesSubdomains: true, pins: PinSet([Pin(root)]))
        let chat = PinningRule(host: try CanonicalHost("chat.example.com"), pins: PinSet([Pin(server)]))
        let free = PinningRule(
            host: try CanonicalHost("free.example.com"), includesSubdomains: true, pins: PinSet([]), isExcluded: true)
        let policy = try PinningPolicy(name: "test policy", rules: [free, apex, chat], backupPins: .off)
        var requirement: PinRequirement?
        if case .pinned(let found) = policy.resolve(try CanonicalHost(host), at: scene.now).outcome {
            requirement = found
        }
        let wanted = ["apex": PinSet([Pin(root)]), "chat": PinSet([Pin(server)])]
        #expect(requirement?.all == expected.flatMap { wanted[$0] })
    }

    // MARK: - Deny pins

    @Test("a pin of each required scope must match; a required scope without pins refuses every server")
    func requiredScopes() throws {
        let leaf = Pin(server, .leaf)
        let authority = Pin(issuing, .ca)
        let otherLeaf = Pin(stranger, .leaf)
        let otherAnywhere = Pin(stranger)
        func verdict(_ pins: [Pin], _ scopes: Set<Pin.Scope>) throws -> TrustVerdict {
            try judge(try scene.policy(pins) { $0.requiredScopes = scopes })
        }
        #expect(try verdict([leaf, authority], [.leaf]).decision == .allow)
        #expect(
            try verdict([leaf, otherAnywhere], [.leaf]).decision == .allow, "the other pins do not have to match")
        expectOnly(.pinMismatch, try verdict([otherLeaf, authority], [.leaf]))
        #expect(try verdict([otherLeaf, authority], [.ca]).decision == .allow)
        expectOnly(.pinMismatch, try verdict([leaf], [.leaf, .ca]))
        expectOnly(.noUsablePins, try verdict([], [.ca]))
    }

    @Test("a denied key blocks at every position of the path, whether it is pinned, reported or unlisted")
    func denied() throws {
        for key in [server, issuing, root] {
            let pinned = try scene.policy([Pin(server)], denied: [Pin(key)])
            let reported = try scene.policy([Pin(stranger)], denied: [Pin(key)]) { $0.enforcement = .reportOnly }
            let unlisted = try PinningPolicy(name: "test policy", rules: [], denied: [Pin(key)])
            for policy in [pinned, reported, unlisted] {
                let verdict = try judge(policy)
                expectOnly(.deniedKey, verdict)
                #expect(verdict.finding.facts.matchedPin == Pin(key))
                #expect(!verdict.permitsConnection)
            }
        }
    }

    @Test("prefers another valid path without the denied key, even if pins are only reported")
    func deniedBesideOther() throws {
        let other = try scene.factory.authority("Other root")
        let crossed = try scene.factory.intermediate("Issuing", signedBy: other, .init(key: issuing.key))
        for roots in [[root, other], [other, root]] {
            for enforcement in PinningRule.Enforcement.allCases {
                let pins = enforcement == .enforce ? [Pin(server)] : [Pin(stranger)]
                let policy = try scene.policy(pins, denied: [Pin(root)]) { $0.enforcement = enforcement }
                for sent in [[server, issuing, crossed], [server, crossed, issuing]] {
                    let verdict = try scene.pinned(sent, anchors: roots, under: policy)
                    #expect(verdict.decision == .allow, "\(verdict)")
                    #expect(verdict.path?.certificates.last == other.view)
                }
            }
        }
    }

    @Test("reports a denied leaf even if no path was found")
    func deniedWithoutPath() throws {
        let policy = try scene.policy([Pin(server)], denied: [Pin(server, .leaf)])
        #expect(try judge(policy, anchors: [stranger]).finding.code == .deniedKey)
    }

    // MARK: - Construction

    @Test("reports all problems together with their positions")
    func problems() throws {
        let host = try CanonicalHost("a.example.com")
        let spelling = try CanonicalHost("A.EXAMPLE.com.")
        do {
            _ = try PinningPolicy(
                name: "",
                rules: [
                    PinningRule(host: host, pins: PinSet([])), PinningRule(host: spelling, pins: PinSet([Pin(root)])),
                ])
            Issue.record("the policy was accepted")
        } catch {
            #expect(error.problems.map(\.path) == ["name", "rules[0]", "rules[1]", "rules[1]"])
        }
    }

    @Test(
        "permits a connection only for an allow or a valid unpinned path", arguments: TrustDecision.allCases,
        [TrustFinding.Code.validPath, .expired, nil])
    func permitsConnection(decision: TrustDecision, system: TrustFinding.Code?) throws {
        let verdict = TrustVerdict(
            decision: decision, finding: TrustFinding(.notPinned, ""),
            systemFinding: system.map { TrustFinding($0, "") },
            subject: nil, policyName: "", time: scene.now)
        let expected =
            switch decision {
            case .allow: true
            case .block: false
            case .notPinned: system == .validPath
            }
        #expect(verdict.permitsConnection == expected)
    }
}

extension PinningPolicy {
    /// Returns the same rules for another host.
    fileprivate func covering(_ host: String) throws -> PinningPolicy {
        let pattern = HostPattern(try CanonicalHost(host))
        let moved = rules.map { rule in
            var rule = rule
            rule.pattern = pattern
            return rule
        }
        return try PinningPolicy(name: name, rules: moved, backupPins: .off)
    }
}
