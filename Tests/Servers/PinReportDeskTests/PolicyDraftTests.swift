import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import PinReportDesk

@Suite("Draft of a policy")
struct PolicyDraftTests {
    private let scene: Scene

    init() throws {
        scene = try Scene.shared.get()
    }

    private func read(_ draft: PolicyDraft) throws -> KnownPolicy {
        try #require(KnownPolicy(name: "draft", contents: Array(draft.policy.utf8)))
    }

    private func refusal(_ kind: IncidentDiagnosis.Kind, _ evidence: IncidentEvidence) -> String? {
        do throws(PolicyDraft.Refusal) {
            _ = try PolicyDraft(kind, evidence)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func theNewKeyIsAddedToTheRuleOfTheNewestPolicy() throws {
        var evidence = scene.evidence
        evidence.catalog = PolicyCatalog([
            try scene.policy([scene.pin(scene.current), Scene.backup], version: 12, name: "old.bundle"),
            try scene.policy([scene.pin(scene.current), Scene.backup], version: 13),
        ])
        let draft = try PolicyDraft(.rotationToUnknownKey, evidence)
        let policy = try read(draft)
        #expect(policy.pins(for: scene.host) == [scene.pin(scene.current), Scene.backup, scene.pin(scene.changed)])
        // The other rule stays.
        #expect(policy.document.domains.count == 2)
        #expect(draft.signCommand.contains("--application com.example.shop --version 14 "))
        // A bundle from now would be refused by devices with slow clocks.
        #expect(draft.signCommand.contains("--not-before 2031-03-08 --not-after 2031-06-"))
        #expect(draft.changes.first?.contains("**.example.com") == true)
        #expect(draft.warnings.first?.contains("can be forged") == true)
    }

    @Test func withoutAKnownPolicyTheDraftHasOnlyTheReportedHost() throws {
        let draft = try PolicyDraft(.rotationToUnknownKey, scene.evidence)
        let policy = try read(draft)
        #expect(policy.document.domains.map(\.text) == ["api.example.com"])
        #expect(policy.pins(for: scene.host).contains(scene.pin(scene.changed)))
        #expect(draft.warnings.contains { $0.contains("contains only this host") })
        #expect(draft.signCommand.contains("--version VERSION"))
    }

    /// An app with the newest policy and no permission accepts the signed draft.
    @Test(arguments: [IncidentDiagnosis.Kind.rotationToUnknownKey, .policyEndsSoon], [nil, "leaf"])
    func anAppAcceptsTheSignedDraft(kind: IncidentDiagnosis.Kind, scope: String?) throws {
        let newest = try scene.policy(
            [scene.pin(scene.current), Scene.backup], version: 12, scope: scope, expires: "2031-03-20T00:00:00Z")
        var evidence = scene.evidence
        evidence.catalog = PolicyCatalog([newest])
        let draft = try PolicyDraft(kind, evidence)
        let signer = BundleSigningKey(generating: .ed25519, id: "a")
        var app = BundleState(
            embedded: try PinningPolicy(holdfastJSON: Array(newest.document.holdfastJSON.utf8)), version: 12,
            keys: [try BundleKey(id: "a", publicKey: Array(signer.publicKeyPEM.utf8))], application: Scene.app)
        let bundle = try SignedBundle.sign(
            policy: Array(draft.policy.utf8), application: Scene.app, version: 13,
            notBefore: Scene.now.advanced(bySeconds: -86_400), notAfter: Scene.now.advanced(bySeconds: 86_400),
            with: signer)
        try app.offer(bundle.bytes, at: Scene.now)
        #expect(app.version == 13)
    }

    @Test func aPinForTheServersCertificateKeepsItsScope() throws {
        var evidence = scene.evidence
        evidence.catalog = PolicyCatalog([
            try scene.policy([scene.pin(scene.current), Scene.backup], version: 1, scope: "leaf")
        ])
        let policy = try read(try PolicyDraft(.rotationToUnknownKey, evidence))
        #expect(policy.document.domains[0].pins.allSatisfy { $0.pin?.scope == .leaf })
    }

    @Test func aPolicyWithPinsOfAuthoritiesGetsThePinOfTheAuthority() throws {
        var evidence = scene.evidence
        evidence.catalog = PolicyCatalog([
            try scene.policy([SPKIDigest(hashing: [2]).description, Scene.backup], version: 1, scope: "ca")
        ])
        let policy = try read(try PolicyDraft(.rotationToUnknownKey, evidence))
        #expect(policy.document.domains[0].pins.last?.pin?.spkiDigest?.description == scene.pin(scene.publicRoot))
        evidence.chain = scene.chain(scene.changed)
        #expect(refusal(.rotationToUnknownKey, evidence)?.contains("no report contains one") == true)
    }

    @Test func aKnownBackupNeedsNoChange() throws {
        var evidence = scene.evidence
        evidence.catalog = PolicyCatalog([
            try scene.policy([scene.pin(scene.current), scene.pin(scene.changed)], version: 13)
        ])
        let draft = try PolicyDraft(.rotationToKnownBackup, evidence)
        #expect(try read(draft).pins(for: scene.host) == [scene.pin(scene.current), scene.pin(scene.changed)])
        evidence.catalog = PolicyCatalog([try scene.policy([scene.pin(scene.current), Scene.backup], version: 14)])
        #expect(refusal(.rotationToKnownBackup, evidence)?.contains("does not list the key") == true)
    }

    @Test func pinsThatEndSoonEndAYearLater() throws {
        var evidence = scene.evidence
        evidence.catalog = PolicyCatalog([
            try scene.policy([scene.pin(scene.current), Scene.backup], version: 1, expires: "2031-03-20T00:00:00Z")
        ])
        let policy = try read(try PolicyDraft(.policyEndsSoon, evidence))
        #expect(policy.document.domains[0].expires == Scene.now.advanced(bySeconds: 365 * 86_400))
    }

    @Test(arguments: [
        IncidentDiagnosis.Kind.interception, .captivePortal, .expiredCertificate, .wrongClock, .unknown,
    ])
    func noDraftAcceptsAnAttackerOrHidesACause(kind: IncidentDiagnosis.Kind) {
        #expect(refusal(kind, scene.evidence)?.contains("there is no draft") == true)
    }

    @Test func aHostThatThePolicyExcludesNeedsNoDraft() throws {
        var evidence = scene.evidence
        evidence.host = try CanonicalHost("status.example.com")
        evidence.catalog = PolicyCatalog([try scene.policy([scene.pin(scene.current), Scene.backup], version: 1)])
        #expect(refusal(.rotationToUnknownKey, evidence)?.contains("does not pin") == true)
    }

    @Test func hostileIdentifiersAreOneWordOfAShell() {
        #expect(ShellWord.quoted("com.example.shop") == "com.example.shop")
        #expect(ShellWord.quoted("a b'; rm -rf ~ #") == #"'a b'\''; rm -rf ~ #'"#)
        #expect(ShellWord.quoted("$(id)") == "'$(id)'")
        for refused in ["", "--output", "a\nb", "a\u{202E}b", "a\u{1B}[2J"] {
            #expect(ShellWord.quoted(refused) == nil, "\(refused.debugDescription)")
        }
    }

    @Test func theProbeNamesThePortAndBracketsAddresses() throws {
        #expect(
            ProbeCommand.text(scene.host, port: 8443) == "holdfast probe api.example.com:8443 --policy POLICY.json")
        #expect(ProbeCommand.text(scene.host, port: 0).hasPrefix("holdfast probe api.example.com --policy"))
        #expect(ProbeCommand.text(try CanonicalHost("::1"), port: 8443).hasPrefix("holdfast probe '[::1]':8443 "))
    }
}
