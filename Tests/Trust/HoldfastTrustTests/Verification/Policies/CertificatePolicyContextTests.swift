import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// The inputs for certificate policies apply in every kind of context, with and without pins and evaluators.
@Suite("Certificate policies in contexts") struct CertificatePolicyContextTests {
    enum Kind: String, CaseIterable, Sendable {
        case system, policyWithoutRule, pinned, replaceablePolicy, unlistedHost, systemEvaluator, keys, certificates
        case evaluatorWithAnchors, composite, custom, customThatCallsHoldfast, revocation
    }

    private static let gold = "1.2.3.4"

    let scene = TrustScene()
    let root: Identity
    let issuing: Identity
    /// A server with the required policy, and one without it.
    let gold: Identity
    let plain: Identity

    init() throws {
        let policy: [ExtraExtension] = [.certificatePolicies([Self.gold])]
        root = try scene.factory.authority("Root")
        issuing = try scene.factory.intermediate("Issuing", signedBy: root, .with { $0.extraExtensions = policy })
        gold = try scene.factory.leaf([TrustScene.host], signedBy: issuing, .with { $0.extraExtensions = policy })
        plain = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
    }

    private func context(_ kind: Kind, _ inputs: CertificatePolicyInputs) throws -> TrustContext {
        let anchors = scene.anchors([root])
        let keys = PublicKeyPinningEvaluator(pinnedKeyHashes: [issuing.spkiDigest.data])
        func evaluators(
            _ evaluator: any ServerTrustEvaluator, for host: String = TrustScene.host, _ anchors: TrustAnchors? = nil
        ) -> TrustContext {
            .evaluators([host: evaluator], anchors: anchors ?? scene.anchors([root]), certificatePolicies: inputs)
        }
        switch kind {
        case .system: return .system(anchors: anchors, certificatePolicies: inputs)
        case .policyWithoutRule:
            let rule = PinningRule(host: try CanonicalHost("other.example"), pins: PinSet([Pin(root), Pin(issuing)]))
            return .policy(
                try PinningPolicy(name: "other", rules: [rule]), anchors: anchors, certificatePolicies: inputs)
        case .pinned:
            return .policy(try scene.policy([Pin(issuing)]), anchors: anchors, certificatePolicies: inputs)
        case .replaceablePolicy:
            return .policies(
                PolicyHolder(try scene.policy([Pin(issuing)])), anchors: anchors, certificatePolicies: inputs)
        case .unlistedHost: return evaluators(keys, for: "other.example")
        case .systemEvaluator: return evaluators(SystemTrustEvaluator())
        case .keys: return evaluators(keys)
        case .certificates:
            return evaluators(CertificatePinningEvaluator(pinnedCertificates: [Data(issuing.certificateDER)]))
        case .evaluatorWithAnchors: return evaluators(SystemTrustEvaluator(anchors: anchors), .only([]))
        case .composite: return evaluators(CompositeEvaluator.all([keys, SystemTrustEvaluator()]))
        case .custom: return evaluators(ClosureEvaluator { _, _ in })
        case .customThatCallsHoldfast:
            let caller = ClosureEvaluator { try SystemTrustEvaluator().evaluate($0, forHost: $1) }
            return evaluators(DangerouslyReplacingSystemTrust(caller))
        case .revocation:
            let lists = ScriptedLists([:])
            return evaluators(
                RevocationEvaluator(
                    lists: lists, ocsp: nil, options: RevocationOptions(failure: .soft), wait: Wait.forever))
        }
    }

    private func verdict(_ context: TrustContext, on server: Identity) async throws -> TrustVerdict {
        await context.judge(scene.chain([server, issuing]), for: try scene.subject(), at: scene.now).verdict()
    }

    @Test("a path without an acceptable policy is refused", arguments: Kind.allCases)
    func required(kind: Kind) async throws {
        let required = try context(kind, .requiring([try .init(Self.gold)]))
        #expect(try await verdict(required, on: gold).permitsConnection)
        let refused = try await verdict(required, on: plain)
        #expect(!refused.permitsConnection && refused.systemFinding?.code == .certificatePolicy, "\(refused)")
        // Only the required policy refused the server.
        let free = try context(kind, .anyPolicy)
        for server in [gold, plain] { #expect(try await verdict(free, on: server).permitsConnection) }
    }

    @Test("pinned keys replace the system verification, and with it its inputs")
    func pinnedKeysOnly() async throws {
        let pins = PinnedKeysOnly(certificates: [plain.view])
        let context = TrustContext.evaluators(
            [TrustScene.host: PinnedKeysOnlyEvaluator(pins)], anchors: scene.anchors([root]),
            certificatePolicies: .requiring([try .init(Self.gold)]))
        #expect(try await verdict(context, on: plain).permitsConnection)
    }
}
