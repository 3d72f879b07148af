import Foundation
import HoldfastCompatibility
import HoldfastTestSupport
import Testing

/// Alamofire's evaluators, called directly.
@Suite struct ServerTrustEvaluatorTests {
    private static let host = CompatibilityScene.host
    private let scene: CompatibilityScene

    init() throws {
        scene = try CompatibilityScene()
    }

    /// Returns the name of the reason that the evaluator throws, or `nil` if it accepts the server.
    private func refusal(
        _ evaluator: any ServerTrustEvaluating, _ identity: Identity, host: String = host
    ) -> String? {
        refusal(evaluator, scene.trust(identity), host: host)
    }

    private func refusal(_ evaluator: any ServerTrustEvaluating, _ trust: ServerTrust, host: String = host) -> String? {
        do {
            try evaluator.evaluate(trust, forHost: host)
            return nil
        } catch AFError.serverTrustEvaluationFailed(let reason) {
            return name(of: reason)
        } catch {
            return "\(error)"
        }
    }

    private func name(of reason: AFError.ServerTrustFailureReason) -> String {
        switch reason {
        case .noRequiredEvaluator: "noRequiredEvaluator"
        case .noCertificatesFound: "noCertificatesFound"
        case .noPublicKeysFound: "noPublicKeysFound"
        case .policyApplicationFailed: "policyApplicationFailed"
        case .settingAnchorCertificatesFailed: "settingAnchorCertificatesFailed"
        case .revocationPolicyCreationFailed: "revocationPolicyCreationFailed"
        case .trustEvaluationFailed: "trustEvaluationFailed"
        case .defaultEvaluationFailed: "defaultEvaluationFailed"
        case .hostValidationFailed: "hostValidationFailed"
        case .revocationCheckFailed: "revocationCheckFailed"
        case .certificatePinningFailed: "certificatePinningFailed"
        case .publicKeyPinningFailed: "publicKeyPinningFailed"
        case .customEvaluationFailed: "customEvaluationFailed"
        }
    }

    // MARK: - Default

    @Test func defaultEvaluation() {
        let strict = DefaultTrustEvaluator(anchors: scene.anchors, clock: scene.clock)
        let anyHost = DefaultTrustEvaluator(validateHost: false, anchors: scene.anchors, clock: scene.clock)
        #expect(refusal(strict, scene.leaf) == nil)
        #expect(refusal(strict, scene.leaf, host: "other.example.com") == "hostValidationFailed")
        #expect(refusal(strict, scene.selfSigned) == "defaultEvaluationFailed")
        #expect(refusal(strict, scene.leaf, host: "no host") == "policyApplicationFailed")
        #expect(refusal(anyHost, scene.leaf, host: "other.example.com") == nil)
        #expect(refusal(anyHost, scene.selfSigned) == "defaultEvaluationFailed")
    }

    // MARK: - Pinned certificates

    private func pinned(
        _ identities: [Identity], selfSigned: Bool = false, path: Bool = true, host: Bool = true,
        names: PinnedKeysOnly.HostnameVerification = .automatic
    ) -> PinnedCertificatesTrustEvaluator {
        PinnedCertificatesTrustEvaluator(
            certificates: identities.map(\.view), acceptSelfSignedCertificates: selfSigned,
            performDefaultValidation: path, validateHost: host, hostnameVerification: names, anchors: scene.anchors,
            clock: scene.clock)
    }

    @Test func pinnedCertificates() {
        for identity in [scene.leaf, scene.intermediate, scene.root] {
            #expect(refusal(pinned([identity]), scene.leaf) == nil)
        }
        #expect(refusal(pinned([scene.leaf]), scene.other) == "certificatePinningFailed")
        #expect(refusal(pinned([]), scene.leaf) == "noCertificatesFound")
        #expect(refusal(pinned([scene.selfSigned]), scene.selfSigned) == "defaultEvaluationFailed")
        #expect(refusal(pinned([scene.leaf]), scene.leaf, host: "b.example.com") == "hostValidationFailed")
        #expect(refusal(pinned([scene.leaf], host: false), scene.leaf, host: "b.example.com") == nil)
        #expect(refusal(pinned([scene.selfSigned], path: false), scene.selfSigned) == "hostValidationFailed")
    }

    @Test func selfSignedCertificatesBecomeTheOnlyAnchors() {
        #expect(refusal(pinned([scene.selfSigned], selfSigned: true), scene.selfSigned) == nil)
        // The authority that the context trusts no longer counts.
        #expect(refusal(pinned([scene.selfSigned], selfSigned: true), scene.other) == "defaultEvaluationFailed")
    }

    @Test func aSmuggledCertificateIsNotOnThePath() {
        let trust = scene.trust(scene.other, smuggling: scene.leaf)
        #expect(refusal(pinned([scene.leaf]), trust) == "certificatePinningFailed")
        #expect(refusal(pinned([scene.leaf], path: false, host: false), trust) == "certificatePinningFailed")
        let stranger = scene.trust(scene.selfSigned, smuggling: scene.intermediate)
        #expect(
            refusal(pinned([scene.intermediate], path: false, host: false, names: .never), stranger)
                == "certificatePinningFailed")
    }

    @Test func withoutValidationTheCertificateItselfIsCompared() throws {
        let bare = pinned([scene.selfSigned], path: false, host: false)
        #expect(refusal(bare, scene.selfSigned) == nil)
        #expect(refusal(bare, scene.selfSigned, host: "b.example.com") == nil)
        #expect(refusal(bare, scene.leaf) == "certificatePinningFailed")
        // The same key in a different certificate does not match.
        var options = CertificateOptions()
        options.key = scene.selfSigned.key
        let renewed = try scene.factory.leaf([Self.host], signedBy: nil, options)
        #expect(refusal(bare, renewed) == "certificatePinningFailed")
    }

    /// The default is stricter than Alamofire. `.never` behaves like Alamofire.
    @Test func withoutValidationAnAuthorityCountsForItsHostsOnly() {
        let strict = pinned([scene.intermediate], path: false, host: false)
        #expect(refusal(strict, scene.leaf) == nil)
        #expect(refusal(strict, scene.leaf, host: "b.example.com") == "certificatePinningFailed")
        let documented = pinned([scene.intermediate], path: false, host: false, names: .never)
        #expect(refusal(documented, scene.leaf, host: "b.example.com") == nil)
    }

    @Test func thePinningFailureHasTheDetails() throws {
        let error = #expect(throws: AFError.self) {
            try pinned([scene.leaf]).evaluate(scene.trust(scene.other), forHost: "API.example.com")
        }
        guard
            case .serverTrustEvaluationFailed(
                .certificatePinningFailed(let host, let trust, let wanted, let seen)) = try #require(error)
        else {
            Issue.record("another reason")
            return
        }
        #expect(host == Self.host)
        #expect(trust == scene.trust(scene.other))
        #expect(wanted == [scene.leaf.view])
        #expect(seen == [scene.other.view])
    }

    // MARK: - Public keys

    private func keys(_ identities: [Identity], path: Bool = true, host: Bool = true) -> PublicKeysTrustEvaluator {
        PublicKeysTrustEvaluator(
            keys: identities.map { PublicKeyInfo($0.view) }, performDefaultValidation: path, validateHost: host,
            anchors: scene.anchors, clock: scene.clock)
    }

    @Test func pinnedKeys() throws {
        for identity in [scene.leaf, scene.intermediate, scene.root] {
            #expect(refusal(keys([identity]), scene.leaf) == nil)
        }
        #expect(refusal(keys([scene.leaf]), scene.other) == "publicKeyPinningFailed")
        #expect(refusal(keys([]), scene.leaf) == "noPublicKeysFound")
        #expect(refusal(keys([scene.selfSigned]), scene.selfSigned) == "defaultEvaluationFailed")
        #expect(refusal(keys([scene.selfSigned], path: false, host: false), scene.selfSigned) == nil)
        #expect(refusal(keys([scene.selfSigned], path: false, host: false), scene.leaf) == "publicKeyPinningFailed")
        let smuggled = scene.trust(scene.other, smuggling: scene.leaf)
        #expect(refusal(keys([scene.leaf], path: false, host: false), smuggled) == "publicKeyPinningFailed")
        // A certificate that was renewed with the same key.
        var options = CertificateOptions()
        options.key = scene.leaf.key
        let renewed = try scene.factory.leaf([Self.host], signedBy: scene.intermediate, options)
        #expect(refusal(keys([scene.leaf]), renewed) == nil)
        #expect(refusal(pinned([scene.leaf]), renewed) == "certificatePinningFailed")
    }

    // MARK: - Composite, disabled, revocation

    private struct Refusing: ServerTrustEvaluating {
        struct Reason: Error {}
        func evaluate(_ trust: SecTrust, forHost host: String) throws { throw Reason() }
    }

    @Test func compositeThrowsTheFirstError() {
        #expect(refusal(.composite(evaluators: [keys([scene.leaf]), pinned([scene.root])]), scene.leaf) == nil)
        #expect(
            refusal(CompositeTrustEvaluator(evaluators: [keys([scene.other]), pinned([scene.other])]), scene.leaf)
                == "publicKeyPinningFailed")
        #expect(
            refusal(CompositeTrustEvaluator(evaluators: [keys([scene.leaf]), Refusing()]), scene.leaf) == "Reason()")
        // Alamofire accepts every server here.
        #expect(refusal(CompositeTrustEvaluator(evaluators: []), scene.leaf) == "trustEvaluationFailed")
    }

    private func refusal(_ evaluator: CompositeTrustEvaluator, _ identity: Identity) -> String? {
        refusal(evaluator as any ServerTrustEvaluating, identity)
    }

    @Test func disabledAcceptsEverything() {
        #expect(refusal(DisabledTrustEvaluator(), scene.selfSigned, host: "no host") == nil)
    }

    @Test func unsupportedRevocationOptionsAreRefused() throws {
        #expect(throws: RevocationOptionsError.self) { try RevocationTrustEvaluator() }
        let all: [RevocationTrustEvaluator.Options] = [
            .preferCRL, [.ocsp, .networkAccessDisabled], [.any, .networkAccessDisabled], .requirePositiveResponse, [],
            [.ocsp, .init(rawValue: 1 << 9)],
        ]
        for options in all {
            #expect(throws: RevocationOptionsError.self) {
                try RevocationTrustEvaluator(options: options, requester: NoResponder(), lists: GivenLists())
            }
        }
        // Each method needs its requester.
        func missing(
            _ options: RevocationTrustEvaluator.Options, _ requester: NoResponder? = nil, _ lists: GivenLists? = nil
        ) -> [String]? {
            let error = #expect(throws: RevocationOptionsError.self) {
                try RevocationTrustEvaluator(options: options, requester: requester, lists: lists)
            }
            return error?.options
        }
        #expect(missing(.ocsp, nil, GivenLists()) == ["ocsp"])
        #expect(missing(.crl, NoResponder()) == ["crl"])
        #expect(missing(.any) == ["ocsp", "crl"])
        #expect(missing(.any, NoResponder()) == ["crl"])
        #expect(throws: RevocationOptionsError.self) {
            try RevocationTrustEvaluator(validateHost: false, options: .ocsp, requester: NoResponder())
        }
        let error = #expect(throws: RevocationOptionsError.self) {
            try RevocationTrustEvaluator(options: [.ocsp, .preferCRL], requester: NoResponder())
        }
        #expect(error?.options == ["preferCRL"])
        _ = try RevocationTrustEvaluator(options: [.ocsp, .requirePositiveResponse], requester: NoResponder())
        _ = try RevocationTrustEvaluator(options: [.crl, .preferCRL], lists: GivenLists())
    }

    @Test func revocationCannotBeCheckedSynchronously() throws {
        let evaluator = try RevocationTrustEvaluator(options: .ocsp, requester: NoResponder())
        #expect(refusal(evaluator, scene.leaf) == "revocationCheckFailed")
    }
}

/// Returns revocation lists by URL.
struct GivenLists: RevocationListRequester {
    struct Missing: Error {}

    var lists: [String: [UInt8]] = [:]

    func revocationList(at url: String, upTo limit: Int) async throws -> [UInt8] {
        guard let list = lists[url] else { throw Missing() }
        return list
    }
}

/// A requester for which every OCSP responder is unreachable.
struct NoResponder: OCSPRequester {
    struct Unreachable: Error {}

    func response(to request: [UInt8], at url: String) async throws -> [UInt8] { throw Unreachable() }
}
