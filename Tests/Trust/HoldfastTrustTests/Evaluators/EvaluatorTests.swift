import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests each evaluator inside a context and when called directly.
@Suite("Evaluators")
struct EvaluatorTests {
    let fixture: EvaluatorScene

    init() throws {
        fixture = try EvaluatorScene()
    }

    private var anchors: TrustAnchors { fixture.scene.anchors([fixture.root]) }
    private var clock: TrustClock { .fixed(fixture.scene.now) }

    @Test("called directly, uses its own anchors and clock")
    func calledDirectly() async throws {
        let hashes: Set = [Data(fixture.server.spkiDigest.bytes)]
        let accepting: [any ServerTrustEvaluator] = [
            SystemTrustEvaluator(anchors: anchors, clock: clock),
            PublicKeyPinningEvaluator(pinnedKeyHashes: hashes, anchors: anchors, clock: clock),
            CertificatePinningEvaluator(
                pinnedCertificates: [Data(fixture.server.certificateDER)], anchors: anchors, clock: clock),
            PinnedKeysOnlyEvaluator(PinnedKeysOnly(certificates: [fixture.server.view]), clock: clock),
            DangerouslyAcceptAnyCertificate(),
        ]
        for evaluator in accepting {
            #expect(await fixture.refusal(evaluator) == nil, "\(evaluator)")
        }
        for evaluator in accepting.dropLast() {
            let refusal = await fixture.refusal(evaluator, [fixture.stranger])
            #expect(refusal?.verdict.decision == .block, "\(evaluator)")
            let unspeakable = await fixture.refusal(evaluator, host: "a..b")
            #expect(unspeakable?.verdict.finding.code == .invalidHost, "\(evaluator)")
        }
    }

    @Test("uses its own clock outside of a context")
    func ownClock() async throws {
        let end = try #require(fixture.server.view.notAfter)
        let late = SystemTrustEvaluator(anchors: anchors, clock: .fixed(end.advanced(bySeconds: 1)))
        #expect(await fixture.refusal(late)?.verdict.finding.code == .expired)
        #expect(try await fixture.verdict(late).permitsConnection, "a context provides its own time")
    }

    @Test("reports one hash that does not match as one pin")
    func singleHashIsOnePin() async throws {
        let digest = SPKIDigest(hashing: [1])
        let one = try await fixture.verdict(fixture.keyPins([digest]))
        expectOnly(.pinMismatch, one)
        #expect(one.finding.reason.hasPrefix("The pin does not match"))
        #expect(one.finding.facts.expectedPins == [Pin(digest)])
        let two = try await fixture.verdict(fixture.keyPins([digest, SPKIDigest(hashing: [2])]))
        #expect(two.finding.reason.hasPrefix("Not one of the 2 pins matches"))
        #expect(two.finding.facts.expectedPins.count == 2)
    }

    @Test("matches the hash of the bare key, and reports which hash matched")
    func hashDomains() async throws {
        let bare = PublicKeyPinningEvaluator(pinnedKeyHashes: [Data(fixture.server.view.rawKeyDigest.bytes)])
        let raw = try await fixture.verdict(bare)
        #expect(raw.finding.facts.matchedPin?.domain == .rawKey)
        let info = try await fixture.verdict(fixture.pinned)
        #expect(info.finding.facts.matchedPin?.domain == .spki)
    }

    @Test("an invalid pin refuses every server and is named as the reason")
    func unusablePins() async throws {
        let unusable: [any ServerTrustEvaluator] = [
            PublicKeyPinningEvaluator(pinnedKeyHashes: []),
            PublicKeyPinningEvaluator(pinnedKeyHashes: [Data([1, 2, 3])]),
            PublicKeyPinningEvaluator(
                pinnedKeyHashes: [Data(fixture.server.spkiDigest.bytes), Data(repeating: 0, count: 31)]),
            CertificatePinningEvaluator(pinnedCertificates: []),
            CertificatePinningEvaluator(pinnedCertificates: [Data([0x30, 0x00])]),
            CertificatePinningEvaluator(pinnedCertificates: [Data(fixture.server.certificatePEM.utf8)]),
            PinnedKeysOnlyEvaluator(PinnedKeysOnly(certificates: [])),
        ]
        for evaluator in unusable {
            let verdict = try await fixture.verdict(evaluator)
            expectOnly(.noUsablePins, verdict)
            #expect(verdict.finding.reason.contains("no server is trusted"))
        }
    }

    @Test("a renewed certificate with the same key matches the key pin but not the certificate pin")
    func renewal() async throws {
        let renewed = try fixture.scene.factory.leaf(
            [TrustScene.host], signedBy: fixture.root, .init(key: fixture.server.key))
        let pinnedCertificate = CertificatePinningEvaluator(pinnedCertificates: [Data(fixture.server.certificateDER)])
        #expect(try await fixture.verdict(pinnedCertificate).decision == .allow)
        expectOnly(.pinMismatch, try await fixture.verdict(pinnedCertificate, [renewed]))
        #expect(try await fixture.verdict(fixture.pinned, [renewed]).decision == .allow)
    }

    @Test("a custom evaluator receives the presented chain and the canonical host")
    func customEvaluatorInput() async throws {
        let evaluator = ClosureEvaluator { [fixture] trust, host in
            guard trust.presented.certificates == [fixture.server.view], host == TrustScene.host else {
                throw CompositeEvaluatorTests.Refusal()
            }
        }
        #expect(try await fixture.verdict(evaluator).decision == .allow)
    }

    @Test("an error of a custom evaluator refuses, even if its verdict allows")
    func thrownAllowRefuses() async throws {
        let verdict = try await fixture.verdict(
            ClosureEvaluator { [fixture] _, _ in
                throw TrustRefusal(try await fixture.verdict(DangerouslyAcceptAnyCertificate()))
            })
        #expect(verdict.decision == .block && !verdict.permitsConnection)
    }

    @Test("the error text of a custom evaluator cannot forge a log line")
    func thrownText() async throws {
        struct Forged: Error, CustomStringConvertible { var description: String { "no\nallow example.com" } }
        let verdict = try await fixture.verdict(ClosureEvaluator { _, _ in throw Forged() })
        #expect(verdict.finding.code == .evaluatorRefused)
        #expect(!verdict.finding.reason.contains("\n"))
    }

    @Test("accept-any accepts every server without verification, and reports this")
    func acceptAny() async throws {
        let verdict = try await fixture.verdict(DangerouslyAcceptAnyCertificate(), [fixture.stranger])
        #expect(verdict.decision == .allow)
        #expect(verdict.finding.code == .anyCertificateAccepted)
        #expect(verdict.systemFinding == nil && verdict.path == nil)
        #expect(verdict.policyName.contains("DANGEROUS"))
    }

    @Test("ServerTrust from DER keeps unreadable certificates, and the verdict reports them")
    func trustFromDER() async throws {
        let trust = ServerTrust(derCertificates: [Data([1]), Data(fixture.server.certificateDER)])
        #expect(trust.presented.count == 2 && trust.presented.leaf == nil)
        do {
            try SystemTrustEvaluator(anchors: anchors, clock: clock).evaluate(trust, forHost: TrustScene.host)
            Issue.record("the leaf must be unreadable")
        } catch let refusal as TrustRefusal {
            #expect(refusal.verdict.finding.code == .unreadableLeaf)
        }
    }
}
