import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast evaluate: inputs of the verification") struct EvaluationInputTests {
    let factory = CertificateFactory()
    let root: Identity
    let leaf: Identity
    let sound: TestCase

    init() throws {
        root = try factory.authority("Root")
        leaf = try factory.leaf(["shop.example"], signedBy: try factory.intermediate("Middle", signedBy: root))
        sound = TestCase("sound", leaf)
    }

    private func list(revoking revoked: [Identity] = [], by issuer: Identity) throws -> String {
        Data(try RevocationListDraft(issuer: issuer, revoking: revoked).der()).base64EncodedString()
    }

    private func expect(_ test: TestCase, _ decision: String, _ finding: String) async throws {
        let answer: Answer = try await Answer.to(test)
        #expect(answer.decision == decision && answer.finding == finding, "\(answer.summary) \(answer.reason ?? "")")
    }

    @Test func revocationListsRevoke() async throws {
        let direct = try factory.leaf(["shop.example"], signedBy: root)
        let test = TestCase("direct", direct)
        try await expect(test, "allow", "validPath")
        let good = try list(by: root)
        let bad = try list(revoking: [direct], by: root)
        try await expect(test.with("crls", [good]), "allow", "validPath")
        try await expect(test.with("crls", [bad]), "block", "revoked")
        let pem = "-----BEGIN X509 CRL-----\n\(bad)\n-----END X509 CRL-----\n"
        try await expect(test.with("crls", [pem]), "block", "revoked")
        // Required lists: the default is that a certificate without a list passes.
        let required = test.with("requiresRevocationLists", true)
        let missing: Answer = try await Answer.to(required)
        #expect(missing.decision == "block")
        try await expect(required.with("crls", [good]), "allow", "validPath")
    }

    @Test func policyInputsRequireAPolicy() async throws {
        let explicit = ["initialExplicitPolicy": true]
        try await expect(sound.with("policyInputs", explicit), "block", "certificatePolicy")
        try await expect(sound.with("policyInputs", ["initialExplicitPolicy": false]), "allow", "validPath")
        try await expect(
            sound.with("policyInputs", ["userInitialPolicySet": ["2.23.140.1.2.1"]]), "allow", "validPath")
    }

    @Test func anchorsCanBeDistrustedAndConstrained() async throws {
        try await expect(sound.with("distrustedAnchors", [root.certificatePEM]), "block", "distrustedAnchor")
        let other = try factory.authority("Other Root").certificatePEM
        try await expect(sound.with("distrustedAnchors", [other]), "allow", "validPath")
        func constrained(_ key: String, _ value: any Sendable) -> TestCase {
            let element: [String: any Sendable] = ["anchor": root.certificatePEM, key: value]
            return sound.with("anchorConstraints", [element])
        }
        try await expect(constrained("permittedNames", ["shop.example"]), "allow", "validPath")
        let refused: Answer = try await Answer.to(constrained("permittedNames", ["other.example"]))
        #expect(refused.decision == "block", "\(refused.summary)")
        let excluded: Answer = try await Answer.to(constrained("excludedNames", ["shop.example"]))
        #expect(excluded.decision == "block", "\(excluded.summary)")
        try await expect(constrained("serverAuthentication", false), "block", "distrustedAnchor")
        try await expect(constrained("distrustAfter", "2000-01-01T00:00:00Z"), "block", "distrustedAnchor")
        try await expect(constrained("distrustAfter", "2090-01-01T00:00:00Z"), "allow", "validPath")
    }

    @Test func ocspAnswersAreChecked() async throws {
        let options = CertificateOptions.with {
            $0.extraExtensions = [.ocspResponders("http://ocsp.example/")]
        }
        let named = try factory.leaf(["shop.example"], signedBy: root, options)
        let test = TestCase("ocsp", named)
        func answer(_ change: (inout OCSPResponder) -> Void = { _ in }) throws -> String {
            var responder = OCSPResponder(issuer: root)
            change(&responder)
            return Data(try responder.response(about: named)).base64EncodedString()
        }
        let required = test.with("requiresOCSPAnswer", true)
        try await expect(test.with("ocspAnswer", try answer()), "allow", "validPath")
        try await expect(required.with("ocspAnswer", try answer()), "allow", "validPath")
        let revoked = try answer { $0.status = .revoked(CertificateFactory.referenceTime.advanced(bySeconds: -7_200)) }
        try await expect(test.with("ocspAnswer", revoked), "block", "revoked")
        // An answer that cannot be used counts as missing. Only a required answer refuses.
        let broken = try answer { $0.breaksSignature = true }
        try await expect(test.with("ocspAnswer", broken), "allow", "validPath")
        try await expect(required.with("ocspAnswer", broken), "block", "revocationUnavailable")
        try await expect(required, "block", "revocationUnavailable")
    }

    @Test func logsDecideOnTimestamps() async throws {
        let log = try TestLog("oak", operator: "Alpha")
        let other = try TestLog("elm", operator: "Beta")
        let stamped = TestCase(
            "stamped", try factory.loggedLeaf(["shop.example"], signedBy: root, logs: [log, other]))
        let policy = #"{"holdfast": 1, "domains": [{"host": "shop.example", "transparency": "chrome"}]}"#
        let test = stamped.with("policyFile", policy)
        let list = TestLog.googleList([log, other])
        let answer: Answer = try await Answer.to(test.with("logs", list))
        #expect(answer.decision != "block", "\(answer.summary) \(answer.reason ?? "")")
        // Without logs, with unknown logs or with an outdated list, the host is refused.
        let stranger = try TestLog("ash", operator: "Gamma")
        let outdated = TestLog.googleList(
            [log, other], issued: CertificateFactory.referenceTime.advanced(bySeconds: -400 * 86_400))
        for refused in [
            test, test.with("logs", TestLog.googleList([stranger])), test.with("logs", outdated),
            sound.with("policyFile", policy).with("logs", list),
        ] {
            let answer: Answer = try await Answer.to(refused)
            #expect(answer.decision == "block", "\(answer.summary)")
        }
    }

    @Test func depthAndHostCanBeChosen() async throws {
        try await expect(sound.with("maximumIntermediates", 1), "allow", "validPath")
        try await expect(sound.with("maximumIntermediates", 0), "block", "pathLengthExceeded")
        try await expect(sound.with("host", "other.example"), "block", "hostMismatch")
        try await expect(sound.without("host").with("checksHost", false), "allow", "validPath")
        try await expect(sound.with("host", "other.example").with("checksHost", false), "allow", "validPath")
    }

    /// A policy file has everything that the policies of apps have.
    @Test func policyFilesApply() async throws {
        let pin = "sha256/\(leaf.spkiDigest.base64)"
        let other = "sha256/\(root.spkiDigest.base64)"
        let rootPin = ["sha256": root.spkiDigest.base64, "scope": "leaf"]
        func file(_ fields: [String: any Sendable]) throws -> TestCase {
            let base: [String: any Sendable] = ["holdfast": 1, "name": "app"]
            let data = try JSONSerialization.data(withJSONObject: base.merging(fields) { $1 })
            return sound.with("policyFile", String(decoding: data, as: UTF8.self))
        }
        func rule(_ fields: [String: any Sendable]) throws -> TestCase {
            let base: [String: any Sendable] = ["host": "shop.example", "pins": [pin, other]]
            return try file(["domains": [base.merging(fields) { $1 }]])
        }
        try await expect(try rule([:]), "allow", "pinMatched")
        let wrong: [any Sendable] = [rootPin, ["sha256": SPKIDigest(hashing: [1]).base64]]
        try await expect(try rule(["pins": wrong]), "block", "pinMismatch")
        try await expect(try file(["deny": [pin], "domains": [] as [String]]), "block", "deniedKey")
        // Report-only and exclusion by rule, and subdomains.
        try await expect(try rule(["pins": wrong, "enforcement": "reportOnly"]), "allow", "pinMismatch")
        let excluded: [[String: any Sendable]] = [["host": "shop.example", "excluded": true]]
        try await expect(try file(["domains": excluded]), "notPinned", "excluded")
        try await expect(try rule(["host": "shop.example", "includesSubdomains": true]), "allow", "pinMatched")
        let unlisted = try file(["unlistedHosts": "refuse", "domains": [] as [String]])
        try await expect(unlisted, "block", "policyRequired")
        // A local anchor of the policy, with and without pins.
        func local(_ pinning: String) throws -> TestCase {
            let anchors: [String: any Sendable] = [
                "certificates": [root.certificatePEM], "mode": "only", "pinning": pinning,
            ]
            let domains: [[String: any Sendable]] = [["host": "shop.example", "pins": wrong]]
            return try file(["anchors": anchors, "domains": domains]).with("anchors", [] as [String])
        }
        try await expect(try local("enforced"), "block", "pinMismatch")
        try await expect(try local("dangerouslyBypassed"), "allow", "pinsBypassed")
        // A host without a rule.
        let parent: Answer = try await Answer.to(try rule(["host": "other.example"]))
        #expect(parent.decision == "notPinned" && parent.finding == "notPinned", "\(parent.summary)")
    }

    @Test func malformedInputsAreErrorsOfTheCase() async throws {
        let wrong: [(String, any Sendable, String)] = [
            ("crls", "text", "crls is not a list"),
            ("crls", ["@"], "crls[0] is neither PEM nor base64"),
            ("crls", ["AAAA"], "crls[0] cannot be read"),
            ("crls", [root.certificatePEM], "crls[0] has no block X509 CRL"),
            ("crls", Array(repeating: "", count: EvaluationInputs.listLimit + 1), "crls has more than"),
            ("requiresRevocationLists", "yes", "requiresRevocationLists is not true or false"),
            ("policyInputs", [1], "policyInputs is not an object"),
            ("policyInputs", ["userInitialPolicySet": ["x"]], "policyInputs.userInitialPolicySet[0] is not"),
            ("policyInputs", ["initialExplicitPolicy": 3], "policyInputs.initialExplicitPolicy is not true or false"),
            ("distrustedAnchors", ["x"], "distrustedAnchors[0] is not PEM"),
            ("anchorConstraints", [["anchor": "x"]], "anchorConstraints[0].anchor is not PEM"),
            ("anchorConstraints", [["anchor": "x", "permittedNames": ["a b"]] as [String: any Sendable]], "\"a b\""),
            (
                "anchorConstraints", [["anchor": "x", "distrustAfter": "x"]],
                "anchorConstraints[0].distrustAfter is not"
            ),
            ("anchorConstraints", [[:] as [String: String]], "anchor is missing"),
            ("logs", "x", "logs cannot be read"),
            ("logs", [1], "logs is not text"),
            ("maximumIntermediates", "1", "maximumIntermediates is not an integer"),
            ("maximumIntermediates", -1, "maximumIntermediates is negative"),
            ("ocspAnswer", "@", "ocspAnswer is not base64"),
            ("ocspAnswer", 1, "ocspAnswer is not text"),
            ("requiresOCSPAnswer", 1, "requiresOCSPAnswer is not true or false"),
            ("checksHost", 3, "checksHost is not true or false"),
            ("policyFile", "x", "policyFile: "),
            ("policyFile", [1], "policyFile is not text"),
        ]
        for (field, value, sentence) in wrong {
            let answer: Answer = try await Answer.to(sound.with(field, value))
            #expect(answer.decision == nil && answer.error?.contains(sentence) == true, "\(field): \(answer)")
        }
    }

    @Test func contradictionsAreErrors() async throws {
        let pins: [String: any Sendable] = ["pins": [leaf.spkiDigest.base64]]
        let pinned = sound.policy(pins)
        let only = sound.policy(pins.merging(["mode": "pinnedKeysOnly"]) { $1 })
        for (test, sentence) in [
            (pinned.with("maximumIntermediates", 1), "maximumIntermediates cannot be used with a policy"),
            (pinned.with("checksHost", false), "checksHost cannot be used with a policy"),
            (pinned.with("policyFile", "{}"), "policyFile cannot be combined with policy"),
            (
                sound.with("requiresOCSPAnswer", true).with("checksHost", false),
                "cannot be used with maximumIntermediates or checksHost"
            ),
            (only.with("crls", [] as [String]), "crls cannot be used in the mode pinnedKeysOnly"),
        ] {
            let answer: Answer = try await Answer.to(test)
            #expect(answer.error?.hasSuffix(sentence) == true, "\(answer)")
        }
    }
}
