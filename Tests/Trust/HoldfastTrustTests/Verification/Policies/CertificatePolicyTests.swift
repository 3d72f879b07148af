import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Certificate policies on paths of a root, up to two authorities and a server (RFC 5280, section 6.1, and RFC 9618).
@Suite("Certificate policies")
struct CertificatePolicyTests {
    let scene = TrustScene()
    static let gold = "1.3.6.1.4.1.99999.1.1"
    static let silver = "1.3.6.1.4.1.99999.1.2"
    static let foreign = "1.3.6.1.4.1.99999.2.1"
    static let any = "2.5.29.32.0"

    /// The policy extensions of the certificates below the root, the highest authority first and the server last.
    struct Case: CustomTestStringConvertible {
        var name: String
        var extensions: [[ExtraExtension]]
        var inputs = CertificatePolicyInputs.anyPolicy
        var code: TrustFinding.Code?

        var testDescription: String { "\(name) → \(code?.rawValue ?? "allow")" }
    }

    private static func requiring(_ policies: String...) throws -> CertificatePolicyInputs {
        .requiring(Set(try policies.map { try CertificatePolicyIdentifier($0) }))
    }

    private static func explicit(_ change: (inout CertificatePolicyInputs) -> Void = { _ in })
        -> CertificatePolicyInputs
    {
        var inputs = CertificatePolicyInputs()
        inputs.initialExplicitPolicy = true
        change(&inputs)
        return inputs
    }

    static func cases() throws -> [Case] {
        let goldOnly = ExtraExtension.certificatePolicies([gold], isCritical: true)
        let silverOnly = ExtraExtension.certificatePolicies([silver])
        let foreignOnly = ExtraExtension.certificatePolicies([foreign], isCritical: true)
        let anyOnly = ExtraExtension.certificatePolicies([any], isCritical: true)
        let required = ExtraExtension.policyConstraints(requireExplicitPolicy: 0)
        let unmapped = ExtraExtension.policyConstraints(requireExplicitPolicy: 0, inhibitPolicyMapping: 0)
        let mapped = ExtraExtension.policyMappings([(gold, foreign)])
        return [
            // No policy is required: policies do not matter.
            Case(name: "no policies", extensions: [[], []]),
            Case(name: "critical policies", extensions: [[goldOnly], [goldOnly]]),
            Case(name: "different policies", extensions: [[goldOnly], [silverOnly]]),
            Case(name: "a critical mapping to another policy", extensions: [[goldOnly, mapped], [silverOnly]]),
            Case(name: "any policy inhibited", extensions: [[goldOnly, .inhibitAnyPolicy(0)], [anyOnly]]),
            Case(
                name: "a set without the requirement", extensions: [[silverOnly], []],
                inputs: try {
                    var inputs = try requiring(gold)
                    inputs.initialExplicitPolicy = false
                    return inputs
                }()),
            // An authority requires a policy.
            Case(name: "required and present", extensions: [[goldOnly, required], [goldOnly]]),
            Case(name: "required and absent", extensions: [[goldOnly, required], []], code: .certificatePolicy),
            Case(
                name: "required by a constraint that is not critical",
                extensions: [
                    [goldOnly, .policyConstraints(requireExplicitPolicy: 0, isCritical: false)], [],
                ], code: .certificatePolicy),
            Case(
                name: "required and different", extensions: [[goldOnly, required], [silverOnly]],
                code: .certificatePolicy),
            Case(
                name: "required, the authority has none", extensions: [[required], [goldOnly]], code: .certificatePolicy
            ),
            Case(name: "any policy of the authority", extensions: [[anyOnly, required], [goldOnly]]),
            Case(name: "any policy of the server", extensions: [[goldOnly, required], [anyOnly]]),
            Case(
                name: "required after one more certificate",
                extensions: [[.policyConstraints(requireExplicitPolicy: 1)], [], []], code: .certificatePolicy),
            Case(
                name: "required after more certificates than the path has",
                extensions: [[.policyConstraints(requireExplicitPolicy: 3)], [], []]),
            Case(
                name: "required after more certificates than any path has",
                extensions: [
                    [
                        ExtraExtension(
                            "2.5.29.36", isCritical: true, value: [0x30, 8, 0x80, 6, 1, 0, 0, 0, 0, 0])
                    ], [],
                ]),
            Case(name: "required by the server itself", extensions: [[], [required]], code: .certificatePolicy),
            Case(name: "required by the server itself, present", extensions: [[goldOnly], [goldOnly, required]]),
            // Mappings.
            Case(name: "mapped", extensions: [[goldOnly, mapped, required], [foreignOnly]]),
            Case(
                name: "mapped, but the server has the old policy",
                extensions: [[goldOnly, mapped, required], [goldOnly]], code: .certificatePolicy),
            Case(
                name: "mappings inhibited above",
                extensions: [[goldOnly, unmapped], [goldOnly, mapped], [foreignOnly]],
                code: .certificatePolicy),
            Case(
                name: "mappings inhibited by the caller", extensions: [[goldOnly, mapped, required], [foreignOnly]],
                inputs: explicit { $0.initialPolicyMappingInhibit = true }, code: .certificatePolicy),
            Case(
                name: "any policy covers the mapped policy", extensions: [[anyOnly, mapped, required], [foreignOnly]]),
            Case(
                name: "a mapping from any policy",
                extensions: [[anyOnly, .policyMappings([(any, foreign)])], [foreignOnly]], code: .malformedCertificate),
            Case(
                name: "a mapping to any policy", extensions: [[goldOnly, .policyMappings([(gold, any)])], [goldOnly]],
                code: .malformedCertificate),
            // Any policy.
            Case(
                name: "any policy inhibited for the server",
                extensions: [[goldOnly, required, .inhibitAnyPolicy(0)], [anyOnly]], code: .certificatePolicy),
            Case(
                name: "any policy inhibited after the server",
                extensions: [[goldOnly, required, .inhibitAnyPolicy(1)], [anyOnly]]),
            Case(
                name: "any policy inhibited by the caller", extensions: [[anyOnly], [goldOnly]],
                inputs: explicit { $0.initialAnyPolicyInhibit = true }, code: .certificatePolicy),
            // The caller requires a policy.
            Case(name: "the caller's policy", extensions: [[goldOnly], [goldOnly]], inputs: try requiring(gold)),
            Case(
                name: "one of the caller's policies", extensions: [[silverOnly], [silverOnly]],
                inputs: try requiring(gold, silver)),
            Case(
                name: "another policy", extensions: [[silverOnly], [silverOnly]], inputs: try requiring(gold),
                code: .certificatePolicy),
            Case(
                name: "a policy is required, but the set is empty", extensions: [[goldOnly], [goldOnly]],
                inputs: .requiring([]), code: .certificatePolicy),
            Case(
                name: "any policy on the whole path, the set is empty", extensions: [[anyOnly], [anyOnly]],
                inputs: .requiring([]), code: .certificatePolicy),
            Case(
                name: "any policy on the whole path", extensions: [[anyOnly], [anyOnly]], inputs: try requiring(gold)),
            Case(
                name: "any policy in the caller's set", extensions: [[silverOnly], [silverOnly]],
                inputs: try requiring(gold, any)),
            Case(
                name: "the policy of the anchor's domain counts", extensions: [[goldOnly, mapped], [foreignOnly]],
                inputs: try requiring(gold)),
            Case(
                name: "the mapped policy does not count", extensions: [[goldOnly, mapped], [foreignOnly]],
                inputs: try requiring(foreign), code: .certificatePolicy),
            Case(
                name: "a policy is required, no certificate has one", extensions: [[], []], inputs: explicit(),
                code: .certificatePolicy),
        ]
    }

    @Test("processes policies", arguments: try cases())
    func policies(test: Case) throws {
        let verdict = try judge(test.extensions, test.inputs)
        if let code = test.code {
            expectOnly(code, verdict)
        } else {
            #expect(verdict.decision == .allow, "\(verdict)")
        }
    }

    private func judge(
        _ extensions: [[ExtraExtension]], _ inputs: CertificatePolicyInputs = .anyPolicy,
        root rootExtensions: [ExtraExtension] = [], budget: VerificationBudget = .standard
    ) throws -> TrustVerdict {
        let root = try scene.factory.authority(
            "Root", try .with { ($0.key, $0.extraExtensions) = (try .shared(.p256, "policy 0"), rootExtensions) })
        var presented: [Identity] = []
        var above = root
        for (index, items) in extensions.enumerated() {
            let options = try CertificateOptions.with {
                ($0.key, $0.extraExtensions) = (try .shared(.p256, "policy \(index + 1)"), items)
            }
            above =
                index == extensions.count - 1
                ? try scene.factory.leaf([TrustScene.host], signedBy: above, options)
                : try scene.factory.intermediate("Authority \(index)", signedBy: above, options)
            presented.insert(above, at: 0)
        }
        return try TrustEngine(anchors: scene.anchors([root]), budget: budget, certificatePolicies: inputs)
            .evaluate(scene.chain(presented), for: scene.subject(), at: scene.now)
    }

    // MARK: - Findings

    @Test("the finding names the server and the authority that requires a policy")
    func findingNamesAuthority() throws {
        let verdict = try judge([[.policyConstraints(requireExplicitPolicy: 0)], []])
        #expect(verdict.finding.facts.subject == "CN=\(TrustScene.host)")
        #expect(verdict.finding.facts.issuer == "CN=Authority 0")
        #expect(
            verdict.finding.reason == "The path is not valid for a certificate policy, which CN=Authority 0 requires.")
        let own = try judge([[], []], .requiring([.anyPolicy]))
        #expect(own.finding.reason.contains("the caller requires"))
        #expect(own.finding.facts.issuer == nil)
    }

    // MARK: - Self-issued certificates, anchors, several paths

    @Test("a self-issued certificate does not count, and may use any policy although it is inhibited")
    func selfIssued() throws {
        let root = try scene.factory.authority("Root")
        func verdict(_ constraint: ExtraExtension, middle: String, server: [ExtraExtension]) throws -> TrustVerdict {
            let old = try scene.factory.intermediate(
                "Issuing", signedBy: root,
                .with { $0.extraExtensions = [.certificatePolicies([Self.gold]), constraint] })
            let new = try scene.factory.intermediate(
                "Issuing", signedBy: old, .with { $0.extraExtensions = [.certificatePolicies([middle])] })
            let leaf = try scene.factory.leaf(
                [TrustScene.host], signedBy: new, .with { $0.extraExtensions = server })
            return try TrustEngine(
                anchors: scene.anchors([root]), certificatePolicies: .requiring([try .init(Self.gold)])
            )
            .evaluate(scene.chain([leaf, new, old]), for: scene.subject(), at: scene.now)
        }
        let gold = [ExtraExtension.certificatePolicies([Self.gold])]
        #expect(try verdict(.inhibitAnyPolicy(0), middle: Self.any, server: gold).decision == .allow)
        // The server is not exempt, and the self-issued certificate did not count.
        let any = [ExtraExtension.certificatePolicies([Self.any])]
        #expect(try verdict(.inhibitAnyPolicy(1), middle: Self.gold, server: any).decision == .allow)
        expectOnly(.certificatePolicy, try verdict(.inhibitAnyPolicy(0), middle: Self.gold, server: any))
    }

    @Test("constraints in an anchor apply to the path below it, and its own policies do not matter")
    func anchors() throws {
        let gold = [ExtraExtension.certificatePolicies([Self.gold])]
        let required = ExtraExtension.policyConstraints(requireExplicitPolicy: 0)
        expectOnly(.certificatePolicy, try judge([[], []], root: [required]))
        #expect(try judge([gold, gold], root: [required]).decision == .allow)
        #expect(
            try judge([gold, gold], root: [required, .certificatePolicies([Self.silver], isCritical: true)]).decision
                == .allow)
        let inhibited = [required, .inhibitAnyPolicy(0)]
        expectOnly(
            .certificatePolicy, try judge([[.certificatePolicies([Self.any])], gold], root: inhibited))
        // An empty sequence of policies is read only below the anchor.
        let empty = ExtraExtension("2.5.29.32", value: [0x30, 0])
        #expect(try judge([[], []], root: [empty]).decision == .allow)
        expectOnly(.malformedCertificate, try judge([[empty], []]))
    }

    @Test("an anchored server is the only certificate of its path")
    func anchoredServer() throws {
        let gold = try scene.factory.leaf(
            [TrustScene.host], signedBy: nil, .with { $0.extraExtensions = [.certificatePolicies([Self.gold])] })
        func verdict(_ policy: String) throws -> TrustVerdict {
            try TrustEngine(anchors: scene.anchors([gold]), certificatePolicies: .requiring([try .init(policy)]))
                .evaluate(scene.chain([gold]), for: scene.subject(), at: scene.now)
        }
        #expect(try verdict(Self.gold).decision == .allow)
        expectOnly(.certificatePolicy, try verdict(Self.silver))
    }

    @Test("the search continues with another path")
    func otherPath() throws {
        let (one, two) = (try scene.factory.authority("One"), try scene.factory.authority("Two"))
        let key = try Key()
        func issuing(_ root: Identity, _ policy: String) throws -> Identity {
            try scene.factory.intermediate(
                "Issuing", signedBy: root,
                .with { ($0.key, $0.extraExtensions) = (key, [.certificatePolicies([policy])]) })
        }
        let (first, second) = (try issuing(one, Self.silver), try issuing(two, Self.gold))
        let leaf = try scene.factory.leaf(
            [TrustScene.host], signedBy: first,
            .with { $0.extraExtensions = [.certificatePolicies([Self.gold, Self.silver])] })
        for (policy, root) in [(Self.gold, "Two"), (Self.silver, "One")] {
            let verdict = try TrustEngine(
                anchors: scene.anchors([one, two]), certificatePolicies: .requiring([try .init(policy)])
            )
            .evaluate(scene.chain([leaf, first, second]), for: scene.subject(), at: scene.now)
            #expect(verdict.pathNames.last == root)
        }
    }

    // MARK: - Form

    @Test(
        "refuses malformed policy extensions, critical or not", arguments: [true, false],
        [
            ("2.5.29.32", [0x30, 0]), ("2.5.29.32", [0x05, 0]), ("2.5.29.32", [0x30, 2, 0x30, 0]),
            ("2.5.29.32", [0x30, 4, 0x30, 2, 6, 0]),
            // The same policy twice, and an empty list of qualifiers.
            ("2.5.29.32", [0x30, 10, 0x30, 3, 6, 1, 0x2A, 0x30, 3, 6, 1, 0x2A]),
            ("2.5.29.32", [0x30, 7, 0x30, 5, 6, 1, 0x2A, 0x30, 0]),
            ("2.5.29.33", [0x30, 0]), ("2.5.29.33", [0x30, 5, 0x30, 3, 6, 1, 0x2A]),
            ("2.5.29.36", [0x30, 0]), ("2.5.29.36", [0x30, 3, 0x80, 1, 0xFF]), ("2.5.29.36", [0x30, 3, 0x82, 1, 0]),
            ("2.5.29.36", [0x30, 6, 0x81, 1, 0, 0x80, 1, 0]),
            ("2.5.29.54", [2, 1, 0xFF]), ("2.5.29.54", [2, 1, 0, 5, 0]), ("2.5.29.54", []),
        ] as [(String, [UInt8])])
    func malformed(isCritical: Bool, value: (String, [UInt8])) throws {
        let item = ExtraExtension(value.0, isCritical: isCritical, value: value.1)
        for place in [[[item], []], [[], [item]]] {
            let verdict = try judge(place)
            #expect(verdict.finding.code == .malformedCertificate, "\(verdict)")
            #expect(verdict.decision == .block)
        }
    }

    @Test("accepts 256 policies, mappings and qualifiers, and refuses 257")
    func counts() throws {
        func names(_ count: Int) -> [String] { (0..<count).map { "1.3.6.1.4.1.99999.3.\($0)" } }
        func extensions(_ count: Int) -> [ExtraExtension] {
            [
                .certificatePolicies(names(count)),
                .policyMappings(names(count).map { ($0, Self.foreign) }),
                .certificatePolicies(names(count), qualifier: "1.3.6.1.5.5.7.2.1"),
            ]
        }
        for item in extensions(256) { #expect(try judge([[item], []]).decision == .allow) }
        for item in extensions(257) {
            let verdict = try judge([[item], []])
            expectOnly(.certificateLimitExceeded, verdict)
            #expect(verdict.finding.facts.limit == 256)
        }
    }

    @Test("an unknown qualifier is refused in a critical extension only")
    func qualifiers() throws {
        func verdict(_ qualifier: String, isCritical: Bool) throws -> TrustVerdict {
            try judge([
                [.certificatePolicies([Self.gold], isCritical: isCritical, qualifier: qualifier)], [],
            ])
        }
        for known in ["1.3.6.1.5.5.7.2.1", "1.3.6.1.5.5.7.2.2"] {
            #expect(try verdict(known, isCritical: true).decision == .allow)
        }
        #expect(try verdict("1.3.6.1.4.1.99999.9", isCritical: false).decision == .allow)
        let refused = try verdict("1.3.6.1.4.1.99999.9", isCritical: true)
        expectOnly(.unhandledCriticalExtension, refused)
        #expect(refused.finding.reason.contains("unknown qualifier 1.3.6.1.4.1.99999.9"))
    }

    @Test("identifiers of policies are read strictly")
    func identifiers() throws {
        #expect(try CertificatePolicyIdentifier("2.5.29.32.0") == .anyPolicy)
        for text in ["0.39", "1.2", "2.999.3", "2.23.140.1.2.1", "1.3.6.1.4.1.72057594037927935"] {
            #expect(try CertificatePolicyIdentifier(text).description == text)
        }
        for text in [
            "", "1", "1.", ".1.2", "1..2", "3.1", "1.40", "01.2", "1.02", "1.2.x", "1.2 ", "1.-2",
            "1.3.72057594037927936", "2.72057594037927935", Array(repeating: "1", count: 33).joined(separator: "."),
        ] {
            #expect(throws: CertificatePolicyError.self) { try CertificatePolicyIdentifier(text) }
        }
    }

    // MARK: - The attack

    /// RFC 9618, section 1: an attacker sends a chain in which each certificate maps each of its policies to all of
    /// them. The tree of RFC 5280 then has 16 to the power of 10 nodes.
    @Test("a chain that makes a policy tree exponential is answered within the budget")
    func exponentialTree() throws {
        let names = (0..<16).map { "1.3.6.1.4.1.99999.4.\($0)" }
        let mappings = names.flatMap { from in names.map { (from, $0) } }
        let layer: [ExtraExtension] = [.certificatePolicies(names), .policyMappings(mappings)]
        let chain = Array(repeating: layer, count: 10) + [[.certificatePolicies(names)]]
        #expect(try judge(chain, .requiring([try .init(names[3])])).decision == .allow)
        expectOnly(.certificatePolicy, try judge(chain, .requiring([try .init(Self.gold)])))
        // 16 nodes and 256 edges and mappings for each of ten authorities, and the server.
        var budget = VerificationBudget.standard
        budget.policySteps = 10 * (16 + 2 * 256) + 300
        #expect(try judge(chain, .requiring([try .init(names[3])]), budget: budget).decision == .allow)
        // With a smaller budget, the search ends with the finding of the limit.
        budget.policySteps = 1_000
        let verdict = try judge(chain, .requiring([try .init(names[3])]), budget: budget)
        expectOnly(.budgetExceeded, verdict)
        #expect(verdict.finding.facts.limit == 1_000)
        #expect(verdict.finding.reason.contains("policy steps"))
    }
}
