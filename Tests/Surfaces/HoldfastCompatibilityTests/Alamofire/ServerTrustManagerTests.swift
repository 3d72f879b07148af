import Foundation
import HoldfastCompatibility
import HoldfastTestSupport
import Testing

/// The manager, and how Holdfast's transports use its evaluators.
@Suite struct ServerTrustManagerTests {
    private static let host = CompatibilityScene.host
    private let scene: CompatibilityScene

    init() throws {
        scene = try CompatibilityScene()
    }

    private func verdict(
        _ manager: ServerTrustManager, _ identity: Identity, host: String = host, replacing: Bool = false
    ) async throws -> TrustVerdict {
        let context = TrustContext.serverTrustManager(
            manager, anchors: scene.anchors, dangerouslyReplacingSystemTrust: replacing)
        return await context.judge(
            scene.trust(identity).presented, for: TrustSubject(host: try CanonicalHost(host)), at: scene.factory.now
        ).verdict()
    }

    private func manager(_ evaluator: any ServerTrustEvaluating, all: Bool = true) -> ServerTrustManager {
        ServerTrustManager(allHostsMustBeEvaluated: all, evaluators: [Self.host: evaluator])
    }

    // MARK: - Look-up

    @Test func hostsAreFoundByAnySpelling() throws {
        let manager = ServerTrustManager(evaluators: ["Api.Example.com.": DisabledTrustEvaluator()])
        #expect(try manager.serverTrustEvaluator(forHost: Self.host) is DisabledTrustEvaluator)
        #expect(try manager.serverTrustEvaluator(forHost: "API.EXAMPLE.COM") is DisabledTrustEvaluator)
    }

    @Test func aHostWithoutEvaluator() throws {
        for host in ["www.api.example.com", "no host"] {
            let error = #expect(throws: AFError.self) {
                try manager(DisabledTrustEvaluator()).serverTrustEvaluator(forHost: host)
            }
            guard case .serverTrustEvaluationFailed(.noRequiredEvaluator(let named)) = try #require(error) else {
                Issue.record("another reason")
                continue
            }
            #expect(named == host)
        }
        #expect(
            try manager(DisabledTrustEvaluator(), all: false).serverTrustEvaluator(forHost: "example.org") == nil)
    }

    @Test func invalidKeysRefuseEveryHost() async throws {
        for evaluators in [["no host": DisabledTrustEvaluator()], ["a.com": .init(), "A.com.": .init()]] {
            let manager = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: evaluators)
            #expect(throws: AFError.self) { try manager.serverTrustEvaluator(forHost: "a.com") }
            #expect(try await verdict(manager, scene.leaf).decision == .block)
        }
    }

    private final class Wildcards: ServerTrustManager, @unchecked Sendable {  // reason: has no state of its own
        override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
            host.hasSuffix(".example.com") ? evaluators["*"] : nil
        }
    }

    @Test func aSubclassMayOverrideTheLookup() async throws {
        struct Refusing: ServerTrustEvaluating {
            func evaluate(_ trust: SecTrust, forHost host: String) throws { throw CancellationError() }
        }
        let manager = Wildcards(evaluators: ["*": Refusing()])
        #expect(try await verdict(manager, scene.leaf).finding.code == .evaluatorRefused)
    }

    // MARK: - In a transport

    @Test func evaluatorsUseTheAnchorsAndTimeOfTheContext() async throws {
        let pinned = PinnedCertificatesTrustEvaluator(certificates: [scene.leaf.view])
        #expect(try await verdict(manager(pinned), scene.leaf).permitsConnection)
        let refused = try await verdict(manager(pinned), scene.other)
        #expect(refused.decision == .block)
        #expect(refused.finding.reason.contains("contains no pinned certificate"))
        #expect(try await verdict(manager(DefaultTrustEvaluator()), scene.leaf).permitsConnection)
    }

    @Test func aPinnedSelfSignedServerIsAccepted() async throws {
        let pinned = PinnedCertificatesTrustEvaluator(
            certificates: [scene.selfSigned.view], acceptSelfSignedCertificates: true)
        #expect(try await verdict(manager(pinned), scene.selfSigned).permitsConnection)
        #expect(try await verdict(manager(pinned), scene.other).decision == .block)
    }

    /// An evaluator that skips checks can only refuse servers, unless the app explicitly asks for more.
    @Test func evaluatorsThatSkipChecksRunAfterSystemTrust() async throws {
        let weak: [any ServerTrustEvaluating] = [
            DisabledTrustEvaluator(),
            PinnedCertificatesTrustEvaluator(
                certificates: [scene.selfSigned.view], performDefaultValidation: false, validateHost: false),
            PublicKeysTrustEvaluator(
                keys: [PublicKeyInfo(scene.selfSigned.view)], performDefaultValidation: false, validateHost: false),
        ]
        for evaluator in weak {
            let careful = try await verdict(manager(evaluator), scene.selfSigned)
            #expect(careful.decision == .block)
            #expect(careful.finding.code == .unknownIssuer)
            let documented = try await verdict(manager(evaluator), scene.selfSigned, replacing: true)
            #expect(documented.permitsConnection)
            #expect(documented.finding.code == .evaluatorAccepted)
        }
        let anyHost = manager(DefaultTrustEvaluator(validateHost: false))
        let stranger = ServerTrustManager(evaluators: ["b.example.com": DefaultTrustEvaluator(validateHost: false)])
        #expect(try await verdict(anyHost, scene.leaf).permitsConnection)
        #expect(try await verdict(stranger, scene.leaf, host: "b.example.com").finding.code == .hostMismatch)
        #expect(try await verdict(stranger, scene.leaf, host: "b.example.com", replacing: true).permitsConnection)
    }

    @Test func aHostWithoutEvaluatorIsRefusedOrUsesTheSystemVerification() async throws {
        let leaf = try scene.factory.leaf(["b.example.com"], signedBy: scene.root)
        let required = try await verdict(manager(DisabledTrustEvaluator()), leaf, host: "b.example.com")
        #expect(required.decision == .block)
        #expect(required.finding.code == .policyRequired)
        let lenient = manager(DisabledTrustEvaluator(), all: false)
        #expect(try await verdict(lenient, leaf, host: "b.example.com").permitsConnection)
        #expect(try await verdict(lenient, scene.selfSigned, host: "b.example.com").decision == .block)
    }

    @Test func revocationIsCheckedHardOrSoft() async throws {
        let hard = try RevocationTrustEvaluator(
            options: [.ocsp, .requirePositiveResponse], requester: NoResponder())
        let soft = try RevocationTrustEvaluator(options: .ocsp, requester: NoResponder())
        #expect(try await verdict(manager(hard), scene.leaf).finding.code == .revocationUnavailable)
        #expect(try await verdict(manager(soft), scene.leaf).permitsConnection)
        let both = CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), hard])
        #expect(try await verdict(manager(both), scene.leaf).decision == .block)
        let pinnedAndSoft = CompositeTrustEvaluator(evaluators: [
            PinnedCertificatesTrustEvaluator(certificates: [scene.other.view]), soft,
        ])
        #expect(try await verdict(manager(pinnedAndSoft), scene.leaf).decision == .block)
    }

    /// Lists alone, both methods, and lists first: a revocation refuses in each mode. Without a list, the mode decides.
    @Test func revocationListsAreChecked() async throws {
        let (url, rootURL) = ("http://lists.example/issuing.crl", "http://lists.example/root.crl")
        let issuing = try scene.factory.intermediate(
            "Issuing", signedBy: scene.root, .with { $0.extraExtensions = [.distributionPoints(rootURL)] })
        let responder = ExtraExtension.ocspResponders("http://ocsp.example/")
        let server = try scene.factory.leaf(
            [Self.host], signedBy: issuing, .with { $0.extraExtensions = [.distributionPoints(url), responder] })
        func lists(revoking revoked: [Identity]) throws -> GivenLists {
            GivenLists(lists: [
                url: try RevocationListDraft(issuer: issuing, revoking: revoked).der(),
                rootURL: try RevocationListDraft(issuer: scene.root).der(),
            ])
        }
        for options: RevocationTrustEvaluator.Options in [.crl, .any, [.any, .preferCRL]] {
            for hard: RevocationTrustEvaluator.Options in [[], .requirePositiveResponse] {
                func verdict(_ lists: GivenLists) async throws -> TrustVerdict {
                    let evaluator = try RevocationTrustEvaluator(
                        options: options.union(hard), requester: NoResponder(), lists: lists)
                    return try await self.verdict(manager(evaluator), server)
                }
                #expect(try await verdict(lists(revoking: [])).finding.code == .validPath)
                #expect(try await verdict(lists(revoking: [server])).finding.code == .revoked)
                #expect(try await verdict(GivenLists()).permitsConnection == hard.isEmpty)
            }
        }
    }

    /// The inputs for certificate policies apply to evaluators that verify the path themselves, to others, and to hosts
    /// without an evaluator.
    @Test func certificatePoliciesApply() async throws {
        let gold = try scene.factory.leaf(
            [Self.host], signedBy: scene.root, .with { $0.extraExtensions = [.certificatePolicies(["1.2.3.4"])] })
        let managers = [
            manager(DefaultTrustEvaluator()), manager(DisabledTrustEvaluator()),
            manager(PublicKeysTrustEvaluator(keys: [PublicKeyInfo(scene.root.view)])),
            ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: [:]),
        ]
        for manager in managers {
            for (inputs, isRefused) in [
                (try CertificatePolicyInputs.requiring([.init("1.2.3.4")]), true), (.anyPolicy, false),
            ] {
                let context = TrustContext.serverTrustManager(
                    manager, anchors: scene.anchors, certificatePolicies: inputs)
                for (server, isGold) in [(gold, true), (scene.other, false)] {
                    let verdict = await context.judge(
                        scene.trust(server).presented, for: TrustSubject(host: try CanonicalHost(Self.host)),
                        at: scene.factory.now
                    ).verdict()
                    #expect(verdict.permitsConnection == (isGold || !isRefused), "\(verdict)")
                }
            }
        }
    }

    @Test func anEmptyCompositeRefuses() async throws {
        let empty = manager(CompositeTrustEvaluator(evaluators: []))
        #expect(try await verdict(empty, scene.leaf).decision == .block)
        #expect(try await verdict(empty, scene.leaf, replacing: true).decision == .block)
    }
}
