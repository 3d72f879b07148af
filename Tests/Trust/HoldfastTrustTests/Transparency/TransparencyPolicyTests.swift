import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Required timestamps in policy files, explanations and bundles.
@Suite("Certificate timestamps in policies") struct TransparencyPolicyTests {
    private func policy(_ domain: String, rest: String = "") throws(PolicyError) -> PinningPolicy {
        try PinningPolicy(
            holdfastJSON: Array("{ \"holdfast\": 1, \"name\": \"p\", \"domains\": [ \(domain) ]\(rest) }".utf8))
    }

    private func requirement(_ json: String) throws -> TransparencyRequirement? {
        try policy("{ \"host\": \"example.com\", \"transparency\": \(json) }").rules.first?.transparency
    }

    @Test func namesAndCountsAreRead() throws {
        #expect(try requirement("\"chrome\"") == .chrome)
        #expect(try requirement("\"apple\"") == .apple)
        #expect(
            try requirement("{ \"policy\": \"apple\", \"enforcement\": \"reportOnly\", \"localAnchors\": \"exempt\" }")
                == TransparencyRequirement(.apple, enforcement: .reportOnly, localAnchors: .exempt))
        let counts = TransparencyCounts(
            timestamps: 1, timestampsOver180Days: 2, operators: 1, requiresRFC6962Log: true)
        #expect(
            try requirement(
                "{ \"timestamps\": 1, \"timestampsOver180Days\": 2, \"operators\": 1, \"requiresRFC6962Log\": true }")
                == TransparencyRequirement(.custom(counts)))
    }

    @Test(arguments: [
        "\"firefox\"", "1", "{}", "{ \"policy\": \"chrome\", \"timestamps\": 2 }", "{ \"timestamps\": 2 }",
        "{ \"policy\": \"chrome\", \"enforcement\": \"never\" }", "{ \"policy\": \"chrome\", \"localAnchors\": true }",
        "{ \"timestamps\": 0, \"timestampsOver180Days\": 2, \"operators\": 1 }",
        "{ \"timestamps\": 17, \"timestampsOver180Days\": 2, \"operators\": 1 }",
        "{ \"timestamps\": 2, \"timestampsOver180Days\": 2.5, \"operators\": 1 }",
        "{ \"policy\": \"chrome\", \"unknown\": 1 }",
    ])
    func malformedRequirementsAreErrors(_ json: String) {
        #expect(throws: PolicyError.self) { try requirement(json) }
    }

    @Test func aRuleWithoutPinsExcludesTheHostFromPins() throws {
        let rule = try #require(try policy("{ \"host\": \"example.com\", \"transparency\": \"chrome\" }").rules.first)
        #expect(rule.isExcluded)
        #expect(rule == .requiringTransparency(HostPattern(try CanonicalHost("example.com"), depth: .exact), .chrome))
        // An empty list of pins stays an error, and so does a missing backup pin.
        for pins in [
            "\"pins\": []", "\"pins\": [ \"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\" ]", "\"excluded\": false",
        ] {
            #expect(throws: PolicyError.self, "\(pins)") {
                try policy("{ \"host\": \"example.com\", \(pins), \"transparency\": \"chrome\" }")
            }
        }
    }

    @Test(arguments: [
        "\"chrome\"", "\"apple\"", "{ \"policy\": \"chrome\", \"localAnchors\": \"exempt\" }",
        "{ \"timestamps\": 3, \"timestampsOver180Days\": 4, \"operators\": 2, \"enforcement\": \"reportOnly\" }",
    ])
    func writingAndReadingKeepsTheRequirement(_ json: String) throws {
        let text =
            "{ \"holdfast\": 1, \"name\": \"p\", \"domains\": [ { \"host\": \"example.com\", \"transparency\": \(json) } ] }"
        let document = PolicyDocument(holdfastJSON: Array(text.utf8))
        let again = try PinningPolicy(holdfastJSON: Array(document.holdfastJSON.utf8))
        #expect(again == (try document.policy()))
    }

    @Test func theExplanationNamesThePolicy() throws {
        let policy = try policy(
            "{ \"host\": \"example.com\", \"transparency\": { \"policy\": \"chrome\", \"localAnchors\": \"exempt\" } }")
        let text = policy.explain(try CanonicalHost("example.com"), at: CertificateFactory.referenceTime).description
        #expect(text.contains("excludes the host from pins"))
        #expect(text.contains("Certificate timestamps are required by Chrome's policy, not for local anchors."))
    }

    @Test func aPolicyWithOnlyTimestampsHasAnEffect() throws {
        #expect(try !policy("{ \"host\": \"example.com\", \"transparency\": \"chrome\" }").asksForNothing)
        #expect(try policy("{ \"host\": \"example.com\", \"excluded\": true }").asksForNothing)
    }

    // MARK: - Bundles

    private func needed(_ old: TransparencyRequirement?, _ new: TransparencyRequirement?) throws -> BundlePermissions {
        let pins = PinSet([Pin(SPKIDigest(hashing: [1])), Pin(SPKIDigest(hashing: [2]))])
        let pattern = HostPattern(try CanonicalHost("example.com"), depth: .apexAndAnyDepth)
        func policy(_ requirement: TransparencyRequirement?) throws -> PinningPolicy {
            try PinningPolicy(name: "p", rules: [PinningRule(pattern, pins: pins, transparency: requirement)])
        }
        return PolicyWeakening.neededPermissions(
            from: try policy(old), to: try policy(new), at: CertificateFactory.referenceTime)
    }

    @Test func aBundleMustNotDropTheRequirement() throws {
        #expect(try needed(nil, .chrome) == [])
        #expect(try needed(.chrome, .chrome) == [])
        #expect(try needed(.chrome, .apple) == [])
        #expect(try needed(.apple, .chrome) == .unpin)
        #expect(try needed(.chrome, nil) == .unpin)
        #expect(try needed(.chrome, TransparencyRequirement(.chrome, enforcement: .reportOnly)) == .reportOnly)
        #expect(try needed(TransparencyRequirement(.chrome, enforcement: .reportOnly), .chrome) == [])
        #expect(try needed(.chrome, TransparencyRequirement(.chrome, localAnchors: .exempt)) == .unpin)
        // Two operators need two logs.
        let operators = TransparencyCounts(timestamps: 1, timestampsOver180Days: 3, operators: 2)
        #expect(try needed(.chrome, TransparencyRequirement(.custom(operators))) == [])
    }

    @Test func theRefusalNamesTheHost() throws {
        let pattern = HostPattern(try CanonicalHost("example.com"), depth: .exact)
        let old = try PinningPolicy(name: "p", rules: [.requiringTransparency(pattern, .chrome)])
        let new = try PinningPolicy(name: "p", rules: [.excluding(pattern)], requiresRuleForEveryHost: true)
        let loss = PolicyWeakening.found(from: old, to: new, at: CertificateFactory.referenceTime, allowing: [])
        #expect(loss == "it no longer requires the same certificate timestamps for example.com")
        // A host that the new policy refuses loses nothing.
        let refusing = try PinningPolicy(name: "p", rules: [], requiresRuleForEveryHost: true)
        #expect(
            PolicyWeakening.found(from: old, to: refusing, at: CertificateFactory.referenceTime, allowing: []) == nil)
    }
}
