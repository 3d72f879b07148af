import Dispatch
import Foundation
import HoldfastCompatibility
import HoldfastTestSupport
import Logging
import Testing

/// The two documented methods, with every kind of server and setting.
@Suite struct TSKPinningValidatorTests {
    private static let host = CompatibilityScene.host
    private let scene: CompatibilityScene
    private let sink = RecordingSink()
    private let log = RecordingLogHandler()

    init() throws {
        scene = try CompatibilityScene()
    }

    private var environment: TrustKitEnvironment {
        TrustKitEnvironment(anchors: scene.anchors, clock: scene.clock, sink: sink, logger: log.logger())
    }

    private func kit(
        pinning identity: Identity, _ more: [String: Any] = [:], domain: String = host, others: [String: Any] = [:]
    ) -> TrustKit {
        var settings: [String: Any] = [
            kTSKPublicKeyHashes: [identity.spkiDigest.base64, CompatibilityScene.backup]
        ]
        settings.merge(more) { $1 }
        var domains: [String: Any] = [domain: settings]
        domains.merge(others) { $1 }
        return TrustKit(configuration: [kTSKPinnedDomains: domains], environment: environment)
    }

    private func decision(_ kit: TrustKit, _ identity: Identity, host: String = host) -> TSKTrustDecision {
        kit.pinningValidator.evaluateTrust(scene.trust(identity), forHostname: host)
    }

    // MARK: - evaluateTrust

    @Test func aPinOnTheVerifiedPathAllows() {
        for pinned in [scene.leaf, scene.intermediate, scene.root] {
            #expect(decision(kit(pinning: pinned), scene.leaf) == .shouldAllowConnection)
        }
        #expect(sink.reports.isEmpty)
        #expect(sink.verdicts.count == 3)
    }

    @Test func anotherKeyBlocksAndIsReported() throws {
        let kit = kit(pinning: scene.leaf, [kTSKReportUris: ["https://reports.example.com/tk"]])
        #expect(decision(kit, scene.other) == .shouldBlockConnection)
        let report = try #require(sink.reports.first)
        #expect(report.result == .failedNoMatchingPin)
        #expect(report.destinations == ["https://reports.example.com/tk"])
        #expect(sink.reports.count == 1)
    }

    /// The server presents the pinned certificate, but no other certificate of the chain links to it.
    @Test func aSmuggledPinnedCertificateDoesNotHelp() {
        let kit = kit(pinning: scene.leaf)
        let trust = scene.trust(scene.other, smuggling: scene.leaf)
        #expect(kit.pinningValidator.evaluateTrust(trust, forHostname: Self.host) == .shouldBlockConnection)
    }

    @Test func anInvalidChainBlocksEvenWithThePinnedKeyAndWithoutEnforcement() {
        #expect(decision(kit(pinning: scene.selfSigned), scene.selfSigned) == .shouldBlockConnection)
        let reporting = kit(pinning: scene.selfSigned, [kTSKEnforcePinning: false])
        #expect(decision(reporting, scene.selfSigned) == .shouldBlockConnection)
        #expect(sink.reports.map(\.result) == [.failedInvalidCertificateChain, .failedInvalidCertificateChain])
    }

    @Test func theHostIsAlwaysVerified() {
        let kit = kit(pinning: scene.leaf, domain: "www.example.com")
        #expect(decision(kit, scene.leaf, host: "www.example.com") == .shouldBlockConnection)
        #expect(sink.verdicts.last?.finding.code == .hostMismatch)
    }

    @Test func withoutEnforcementAMismatchIsAllowedAndReported() {
        let kit = kit(pinning: scene.leaf, [kTSKEnforcePinning: false])
        #expect(decision(kit, scene.other) == .shouldAllowConnection)
        #expect(sink.reports.map(\.result) == [.failedNoMatchingPin])
    }

    /// Documented and dangerous: nothing is validated, not even a chain of an unknown authority.
    @Test func anUnlistedHostIsNotPinnedAndNotReported() {
        let kit = kit(pinning: scene.leaf, domain: "example.org")
        #expect(decision(kit, scene.selfSigned) == .domainNotPinned)
        #expect(sink.verdicts.isEmpty)
        // The validation that the page's warning asks for.
        #expect(throws: TrustRefusal.self) {
            try SystemTrustEvaluator(anchors: scene.anchors, clock: scene.clock).evaluate(
                ServerTrust(scene.trust(scene.selfSigned)), forHost: Self.host)
        }
    }

    @Test func hostsAreFoundByAnySpelling() {
        let kit = kit(pinning: scene.leaf)
        #expect(decision(kit, scene.other, host: "API.Example.COM.") == .shouldBlockConnection)
        #expect(decision(kit, scene.other, host: "not a host") == .shouldBlockConnection)
        #expect(log.messages(atLeast: .error).count == 1)
    }

    @Test func expiryFallsBackToNotPinnedAtTheStartOfTheDay() {
        // The factory's time is 2031-03-15T12:00:00Z.
        #expect(decision(kit(pinning: scene.leaf, [kTSKExpirationDate: "2031-03-15"]), scene.other) == .domainNotPinned)
        #expect(
            decision(kit(pinning: scene.leaf, [kTSKExpirationDate: "2031-03-16"]), scene.other)
                == .shouldBlockConnection)
        let date = Date(timeIntervalSince1970: Double(scene.factory.now.secondsSince1970 + 1))
        #expect(decision(kit(pinning: scene.leaf, [kTSKExpirationDate: date]), scene.other) == .shouldBlockConnection)
    }

    /// The value in TrustKit's source and the value in its documentation.
    @Test(arguments: [kTSKExcludeSubdomainFromParentPolicy, "TSKExcludeSubdomainFromParentPolicy"])
    func bothSpellingsOfTheExcludeKeyAreRead(key: String) throws {
        #expect(kTSKExcludeSubdomainFromParentPolicy == "kSKExcludeSubdomainFromParentPolicy")
        let kit = kit(
            pinning: scene.leaf, [kTSKIncludeSubdomains: true], domain: "example.com",
            others: [Self.host: [key: true]])
        #expect(decision(kit, scene.selfSigned) == .domainNotPinned)
        #expect(decision(kit, scene.selfSigned, host: "www.example.com") == .shouldBlockConnection)
    }

    // MARK: - Callback

    @Test func theCallbackGetsResultDomainAndSettings() async throws {
        let kit = kit(pinning: scene.leaf, [kTSKIncludeSubdomains: true], domain: "example.com")
        let (stream, continuation) = AsyncStream.makeStream(of: (TSKPinningValidatorResult, String, Set<String>).self)
        kit.pinningValidatorCallbackQueue = DispatchQueue(label: "callback")
        kit.pinningValidatorCallback = { result, noted, policy in
            continuation.yield((result, noted, Set(policy[kTSKPublicKeyHashes] as? [String] ?? [])))
        }
        #expect(decision(kit, scene.other) == .shouldBlockConnection)
        var results = stream.makeAsyncIterator()
        let (result, noted, hashes) = try #require(await results.next())
        #expect(result.serverHostname == Self.host)
        #expect(result.evaluationResult == .failedNoMatchingPin)
        #expect(result.evaluationResult.rawValue == 1)
        #expect(result.finalTrustDecision == .shouldBlockConnection)
        #expect(result.validationDuration > 0)
        #expect(result.certificateChain == [scene.other.view.pem, scene.root.view.pem])
        #expect(noted == "example.com")
        #expect(hashes == [scene.leaf.spkiDigest.base64, CompatibilityScene.backup])
    }

    @Test func theCallbackIsNotCalledForUnpinnedHosts() async {
        let kit = kit(pinning: scene.leaf)
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        kit.pinningValidatorCallbackQueue = DispatchQueue(label: "callback")
        kit.pinningValidatorCallback = { result, _, _ in continuation.yield(result.serverHostname) }
        _ = decision(kit, scene.leaf, host: "elsewhere.example.org")
        _ = decision(kit, scene.leaf)
        var results = stream.makeAsyncIterator()
        #expect(await results.next() == Self.host)
    }

    @Test func theQueueIsResetByNil() {
        let kit = kit(pinning: scene.leaf)
        kit.pinningValidatorCallbackQueue = DispatchQueue(label: "x")
        kit.pinningValidatorCallbackQueue = nil
        #expect(kit.pinningValidatorCallbackQueue.label == DispatchQueue.main.label)
    }

    // MARK: - Numbers

    @Test func theNumbersAreThoseOfTrustKit() {
        #expect(TSKTrustDecision.allCases.map(\.rawValue) == [0, 1, 2])
        #expect(TSKTrustDecision(rawValue: 2) == .domainNotPinned)
        #expect(TSKTrustEvaluationResult.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        for result in TrustKitResult.allCases {
            #expect(TSKTrustEvaluationResult(result).rawValue == result.rawValue)
        }
        #expect(TSKTrustEvaluationResult.errorCouldNotGenerateSpkiHash.rawValue == 5)
    }
}
