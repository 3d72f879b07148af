import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Constraints that a list of trust anchors sets for an anchor.
@Suite("Anchors with constraints")
struct AnchorConstraintTests {
    let scene = TrustScene()
    let root: Identity
    let issuing: Identity
    let leaf: Identity

    init() throws {
        root = try scene.factory.authority("Root", .init(key: .shared(.p256, "anchor root")))
        issuing = try scene.factory.intermediate(
            "Issuing", signedBy: root, .init(key: .shared(.p256, "anchor issuing")))
        leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing, .init(key: .shared(.p256, "anchor leaf")))
    }

    private func judge(
        _ presented: [Identity], _ anchors: TrustAnchors, host: String = TrustScene.host,
        budget: VerificationBudget = .standard
    ) throws -> TrustVerdict {
        try TrustEngine(anchors: anchors, budget: budget)
            .evaluate(scene.chain(presented), for: scene.subject(host), at: scene.now)
    }

    private func only(_ constraints: TrustAnchorConstraints, _ identity: Identity? = nil) -> TrustAnchors {
        .only(anchors: [TrustAnchor((identity ?? root).view, constraints: constraints)])
    }

    @Test("an anchor without constraints is an anchor as before")
    func noConstraints() throws {
        #expect(try judge([leaf, issuing], only(.none)).decision == .allow)
        #expect(try judge([leaf, issuing], .only(anchors: [TrustAnchor(root.view)])).path?.certificates.count == 3)
        expectOnly(.noTrustAnchors, try judge([leaf, issuing], .only(anchors: [])))
    }

    // MARK: - Purposes

    @Test("an anchor that is not for TLS servers ends no path")
    func purpose() throws {
        let verdict = try judge([leaf, issuing], only(.init(allowsServerAuthentication: false)))
        expectOnly(.distrustedAnchor, verdict)
        #expect(verdict.finding.reason == "The list of trust anchors does not trust CN=Root for TLS servers.")
        #expect(verdict.finding.facts.subject == leaf.view.subject && verdict.finding.facts.issuer == "CN=Root")
        #expect(verdict.finding.facts.index == 2)
        // An anchored server follows the same rule.
        let alone = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        expectOnly(.distrustedAnchor, try judge([alone], only(.init(allowsServerAuthentication: false), alone)))
        #expect(try judge([alone], only(.none, alone)).decision == .allow)
    }

    @Test("a path may pass through a distrusted anchor to another one")
    func crossSigned() throws {
        let other = try scene.factory.authority("Other")
        let cross = try scene.factory.intermediate("Root", signedBy: other, .init(key: root.key))
        let anchors = TrustAnchors.only(anchors: [
            TrustAnchor(root.view, constraints: .init(allowsServerAuthentication: false)), TrustAnchor(other.view),
        ])
        expectOnly(.distrustedAnchor, try judge([leaf, issuing], anchors))
        let verdict = try judge([leaf, issuing, cross], anchors)
        #expect(verdict.decision == .allow)
        #expect(verdict.pathNames == [TrustScene.host, "Issuing", "Root", "Other"])
    }

    @Test("a policy that replaces the anchors does not lift the constraints of the list")
    func replacedAnchors() throws {
        let policy = try PinningPolicy(
            name: "p", rules: [], anchors: .only([root.view]))
        func verdict(_ anchors: TrustAnchors) throws -> TrustVerdict {
            try TrustEngine(anchors: anchors).evaluate(
                scene.chain([leaf, issuing]), for: scene.subject(), at: scene.now, under: policy)
        }
        let refused = try verdict(only(.init(allowsServerAuthentication: false)))
        #expect(!refused.permitsConnection)
        #expect(refused.systemFinding?.code == .distrustedAnchor)
        #expect(try verdict(only(.none)).permitsConnection)
    }

    @Test("the constraints of all lists apply")
    func severalLists() throws {
        let distrusted = TrustAnchor(root.view, constraints: .init(allowsServerAuthentication: false))
        expectOnly(
            .distrustedAnchor, try judge([leaf, issuing], .only(anchors: [TrustAnchor(root.view), distrusted])))
        // An app that adds the certificate without constraints does not lift the constraints of the other list.
        expectOnly(.distrustedAnchor, try judge([leaf, issuing], .only(anchors: [distrusted]).adding([root.view])))
        expectOnly(
            .distrustedAnchor, try judge([leaf, issuing], TrustAnchors.only([root.view]).adding(anchors: [distrusted])))
    }

    // MARK: - Dates

    /// Mozilla's `CKA_NSS_SERVER_DISTRUST_AFTER`: the start of the server's validity is compared, and nothing else.
    @Test("an anchor is trusted only for servers' certificates from before the date")
    func distrustAfter() throws {
        let start = try #require(leaf.view.notBefore)
        #expect(try judge([leaf, issuing], only(.init(serverDistrustAfter: start))).decision == .allow)
        #expect(
            try judge([leaf, issuing], only(.init(serverDistrustAfter: start.advanced(bySeconds: 1)))).decision
                == .allow)
        let verdict = try judge([leaf, issuing], only(.init(serverDistrustAfter: start.advanced(bySeconds: -1))))
        expectOnly(.distrustedAnchor, verdict)
        #expect(verdict.finding.facts.notBefore == start)
        #expect(verdict.finding.reason.contains("only for certificates until"))
        // An authority's certificate may be newer than the date.
        let older = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing, .init(notBefore: start.advanced(bySeconds: -86_400)))
        #expect(
            try judge([older, issuing], only(.init(serverDistrustAfter: start.advanced(bySeconds: -3_600)))).decision
                == .allow)
    }

    // MARK: - Names

    struct Names: CustomTestStringConvertible {
        var permitted: [String] = []
        var excluded: [String] = []
        var isAllowed: Bool

        var testDescription: String { "+\(permitted) -\(excluded) → \(isAllowed ? "allow" : "block")" }
    }

    @Test(
        "an anchor is trusted only for the permitted names",
        arguments: [
            Names(permitted: ["example.com"], isAllowed: true),
            Names(permitted: ["EXAMPLE.com."], isAllowed: true),
            Names(permitted: [".example.com"], isAllowed: true),
            Names(permitted: ["example.org", "example.com"], isAllowed: true),
            Names(permitted: ["example.org"], isAllowed: false),
            Names(permitted: [".chat.example.com"], isAllowed: false),
            Names(excluded: ["example.com"], isAllowed: false),
            Names(excluded: ["example.org"], isAllowed: true),
            Names(permitted: ["com"], excluded: ["chat.example.com"], isAllowed: false),
            Names(permitted: ["192.0.2.0/24"], isAllowed: true),
            Names(excluded: ["0.0.0.0/0", "::/0"], isAllowed: true),
        ])
    func names(test: Names) throws {
        let names = try AnchorNameConstraints(permitted: test.permitted, excluded: test.excluded)
        let verdict = try judge([leaf, issuing], only(.init(names: names)))
        guard !test.isAllowed else {
            #expect(verdict.decision == .allow, "\(verdict)")
            return
        }
        expectOnly(.nameConstraintViolation, verdict)
        #expect(
            verdict.finding.reason
                == "By the list of trust anchors, CN=Root may not issue for chat.example.com, "
                + "which is a name of CN=chat.example.com.")
        // The certificates are valid without the constraint of the list.
        #expect(try judge([leaf, issuing], only(.none)).decision == .allow)
    }

    @Test("address ranges limit servers with addresses")
    func addresses() throws {
        let server = try scene.factory.leaf([], ipAddresses: ["192.0.2.7", "2001:db8::7"], signedBy: issuing)
        func decision(_ permitted: [String], _ excluded: [String] = []) throws -> TrustDecision {
            let names = try AnchorNameConstraints(permitted: permitted, excluded: excluded)
            return try judge([server, issuing], only(.init(names: names)), host: "192.0.2.7").decision
        }
        #expect(try decision(["192.0.2.0/24", "2001:db8::/32"]) == .allow)
        #expect(try decision(["192.0.2.7", "2001:db8::7"]) == .allow)
        #expect(try decision(["192.0.2.99/24", "2001:db8::/32"]) == .allow)
        #expect(try decision(["192.0.2.0/24"]) == .block)
        #expect(try decision(["192.0.2.8/29", "2001:db8::/32"]) == .block)
        #expect(try decision([], ["192.1.0.0/16"]) == .allow)
        #expect(try decision([], ["192.0.0.0/8"]) == .block)
        #expect(try decision([], ["::/0"]) == .block)
    }

    @Test("the constraints of a list apply to all certificates of the path except self-issued authorities")
    func wholePath() throws {
        let names = try AnchorNameConstraints(
            der: NameConstraintSet(permittedDirectoryNames: [CertificateName.der("", "Good")]).encoded)
        let good = try scene.factory.intermediate("Issuing", signedBy: root, .with { $0.organization = "Good" })
        let server = try scene.factory.leaf([TrustScene.host], signedBy: good, .with { $0.organization = "Good" })
        #expect(try judge([server, good], only(.init(names: names))).decision == .allow)
        expectOnly(.nameConstraintViolation, try judge([leaf, issuing], only(.init(names: names))))
        let selfIssued = try scene.factory.intermediate("Root", signedBy: root)
        let below = try scene.factory.leaf([TrustScene.host], signedBy: selfIssued, .with { $0.organization = "Good" })
        #expect(try judge([below, selfIssued], only(.init(names: names))).decision == .allow)
    }

    @Test("the constraints of a list and those of the certificates both apply, within one budget")
    func both() throws {
        let limited = try scene.factory.intermediate(
            "Limited", signedBy: root, .init(nameConstraints: .init(permittedDNSNames: ["example.com"])))
        let server = try scene.factory.leaf([TrustScene.host], signedBy: limited)
        let outside = try scene.factory.leaf([TrustScene.host, "example.org"], signedBy: limited)
        let wide = try AnchorNameConstraints(permitted: ["com", "org"])
        #expect(try judge([server, limited], only(.init(names: wide))).decision == .allow)
        let verdict = try judge([outside, limited], only(.init(names: wide)))
        expectOnly(.nameConstraintViolation, verdict)
        #expect(verdict.finding.reason.hasPrefix("CN=Limited may not issue for example.org"))
        var budget = VerificationBudget.standard
        budget.nameConstraintComparisons = 3
        expectOnly(.budgetExceeded, try judge([server, limited], only(.init(names: wide)), budget: budget))
    }

    @Test("constraints that cannot be read are an error")
    func invalidNames() throws {
        for text in ["", ".", "..", "*.example.com", "exa mple.com", "192.0.2.0/33", "::/129", "192.0.2.0/", "a/b"] {
            #expect(throws: TrustAnchorError.self) { try AnchorNameConstraints(permitted: [text]) }
        }
        #expect(throws: TrustAnchorError.self) { try AnchorNameConstraints(permitted: []) }
        for der: [UInt8] in [[], [0x30, 0], [0x30, 2, 0xA0, 0], [0x30, 1], [0x05, 0]] {
            #expect(throws: TrustAnchorError.self) { try AnchorNameConstraints(der: der) }
        }
        let large = (0..<8_193).map { "x\($0).org" }
        #expect(throws: TrustAnchorError.self) { try AnchorNameConstraints(permitted: large) }
        let one = try AnchorNameConstraints(permitted: ["example.com"])
        #expect(try AnchorNameConstraints(der: one.der) == one)
        #expect(one.der == NameConstraintSet(permittedDNSNames: ["example.com"]).encoded)
    }
}
