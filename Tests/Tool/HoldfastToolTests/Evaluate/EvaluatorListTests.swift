import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

/// Several evaluators in a case, and pins with a scope of their own.
@Suite("holdfast evaluate: several evaluators") struct EvaluatorListTests {
    private let factory = CertificateFactory()
    private let root: Identity
    private let leaf: Identity
    private let sound: TestCase

    init() throws {
        root = try factory.authority("Root")
        leaf = try factory.leaf(["shop.example"], ipAddresses: ["2001:db8::1"], signedBy: root)
        sound = TestCase("sound", leaf)
    }

    private func pins(_ digest: SPKIDigest, scope: String? = nil) -> [String: any Sendable] {
        guard let scope else { return ["pins": [digest.base64]] }
        return ["pins": [["sha256": digest.base64, "scope": scope]]]
    }

    private func list(_ rule: String, _ members: [any Sendable]) -> TestCase {
        let value: [String: any Sendable] = ["rule": rule, "members": members]
        return sound.with("evaluators", value)
    }

    private func expect(_ test: TestCase, _ decision: String, _ finding: String) async throws {
        let answer: Answer = try await Answer.to(test)
        #expect(answer.decision == decision && answer.finding == finding, "\(answer.summary) \(answer.reason ?? "")")
    }

    @Test func theRuleCombinesTheMembers() async throws {
        let right = pins(leaf.spkiDigest)
        let wrong = pins(SPKIDigest(hashing: [1]))
        for (rule, members, decision, finding) in [
            ("all", [right], "allow", "pinMatched"), ("any", [right], "allow", "pinMatched"),
            ("all", [right, wrong], "block", "pinMismatch"), ("all", [wrong, right], "block", "pinMismatch"),
            ("any", [right, wrong], "allow", "pinMatched"), ("any", [wrong, right], "allow", "pinMatched"),
            ("any", [wrong, wrong], "block", "pinMismatch"),
            ("all", [], "block", "invalidConfiguration"), ("any", [], "block", "invalidConfiguration"),
            ("all", [[:]], "block", "noUsablePins"),
        ] as [(String, [[String: any Sendable]], String, String)] {
            try await expect(list(rule, members), decision, finding)
        }
        try await expect(list("all", [right, "system"]), "allow", "validPath")
        try await expect(list("any", ["system", wrong]), "allow", "validPath")
    }

    @Test func eachMemberHasItsOwnSettings() async throws {
        let wrong = pins(SPKIDigest(hashing: [1]))
        let reported = wrong.merging(["enforce": false]) { $1 }
        try await expect(list("all", [pins(leaf.spkiDigest), reported]), "allow", "pinMismatch")
        // An expired policy accepts what the system verification accepts.
        let expired = wrong.merging(["expires": "2000-01-01"]) { $1 }
        try await expect(list("all", [pins(leaf.spkiDigest), expired]), "notPinned", "policyExpired")
        // Pinned keys need no anchors, but each other member does.
        let only = pins(leaf.spkiDigest).merging(["mode": "pinnedKeysOnly"]) { $1 }
        try await expect(list("all", [only]).without("anchors"), "allow", "pinMatched")
        let missing: Answer = try await Answer.to(list("any", [only, "system"]).without("anchors"))
        #expect(missing.error?.contains("anchors is missing") == true)
        try await expect(list("any", ["system", only]).with("anchors", [] as [String]), "allow", "pinMatched")
        // The inputs of the case apply to each member.
        let crl = Data(try RevocationListDraft(issuer: root, revoking: [leaf]).der()).base64EncodedString()
        try await expect(list("any", ["system", pins(leaf.spkiDigest)]).with("crls", [crl]), "block", "revoked")
        // An IPv6 address as the host.
        try await expect(list("all", ["system"]).with("host", "[2001:db8::1]"), "allow", "validPath")
        try await expect(list("all", ["system"]).with("host", "other.example"), "block", "hostMismatch")
    }

    @Test func pinsHaveScopesOfTheirOwn() async throws {
        for (identity, scope, finding) in [
            (leaf, "leaf", "pinMatched"), (leaf, "any", "pinMatched"), (leaf, "ca", "pinMismatch"),
            (root, "ca", "pinMatched"), (root, "leaf", "pinMismatch"),
        ] {
            try await expect(
                sound.policy(pins(identity.spkiDigest, scope: scope)),
                finding == "pinMatched" ? "allow" : "block", finding)
        }
        // The scope of the policy applies to pins without their own.
        let own: [String: any Sendable] = ["sha256": root.spkiDigest.base64, "scope": "ca"]
        let mixed: [String: any Sendable] = [
            "pins": [own, SPKIDigest(hashing: [1]).base64] as [any Sendable], "scope": "leaf",
        ]
        try await expect(sound.policy(mixed), "allow", "pinMatched")
        let narrow: [String: any Sendable] = ["pins": [["sha256": root.spkiDigest.base64]], "scope": "leaf"]
        try await expect(sound.policy(narrow), "block", "pinMismatch")
    }

    @Test func mistakesAreErrorsOfTheCase() async throws {
        let right = pins(leaf.spkiDigest)
        let only = right.merging(["mode": "pinnedKeysOnly"]) { $1 }
        let tooMany = Array(repeating: right as any Sendable, count: EvaluatorList.limit + 1)
        for (test, sentence) in [
            (sound.with("evaluators", "all"), "evaluators is not an object"),
            (sound.with("evaluators", ["members": [right]]), "evaluators.rule is missing"),
            (sound.with("evaluators", ["rule": "all"]), "evaluators.members is missing"),
            (list("some", []), "evaluators.rule must be one of: all, any"),
            (list("all", tooMany), "evaluators.members has more than 100 elements"),
            (list("all", [right, "none"]), "evaluators.members[1] must be an object or \"system\""),
            (list("all", [right, ["pins": ["x"]]]), "evaluators.members[1].pins[0] is not the base64 of a SHA-256"),
            (list("all", [["certificates": ["x"]]]), "evaluators.members[0].certificates[0] is not PEM"),
            (list("all", [["scope": "root"]]), "evaluators.members[0].scope must be one of: any, leaf, ca"),
            (list("all", [["expires": "soon"]]), "evaluators.members[0].expires is not ISO 8601"),
            (
                sound.policy(["pins": [["sha256": leaf.spkiDigest.base64, "scope": "root"]]]),
                "policy.pins[0].scope must be one of: any, leaf, ca"
            ),
            (sound.policy(["pins": [["scope": "leaf"]]]), "policy.pins[0].sha256 is missing"),
            (list("all", [right]).policy(right), "evaluators cannot be combined with policy"),
            (list("all", [right]).with("policyFile", "{}"), "evaluators cannot be combined with policyFile"),
            (list("all", [right]).with("checksHost", false), "checksHost cannot be used with a policy"),
            (list("all", [only]).with("crls", [] as [String]), "crls cannot be used in the mode pinnedKeysOnly"),
        ] {
            let answer: Answer = try await Answer.to(test)
            #expect(answer.decision == nil && answer.error?.contains(sentence) == true, "\(sentence): \(answer)")
        }
    }
}
