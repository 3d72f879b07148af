import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTransport

/// The order of requests that follow a bundle, tested without a network.
@Suite struct RolloutRoundTests {
    private let key = BundleSigningKey(generating: .ed25519, id: "k")
    private let now = Timestamp(secondsSince1970: 2_000_000_000)

    private func settings(halts: Bool = true, timestamps: Bool = true) throws -> RolloutSettings {
        let bytes = Array(key.publicKeyPEM.utf8)
        return RolloutSettings(
            haltKeys: halts ? [try BundleHaltKey(id: "k", publicKey: bytes)] : [],
            timestampKeys: timestamps ? [try BundleTimestampKey(id: "k", publicKey: bytes)] : [])
    }

    /// Returns all steps while the decision stays the same. `isKnown` says whether the halt is known.
    private func steps(
        _ decision: RolloutDecision, isConfirmed: Bool = true, _ settings: RolloutSettings, isKnown: Bool = true
    ) -> [RolloutRound.Step] {
        var round = RolloutRound(isConfirmed: isConfirmed, settings: settings)
        var steps: [RolloutRound.Step] = []
        while steps.last != .done, steps.count < 10 {
            steps.append(round.next(decision))
            if steps.last == .fetchHalt, !isKnown { round.haltIsUnknown() }
        }
        return steps
    }

    @Test func theHaltIsRequestedBeforeTheSwitch() throws {
        let all = try settings()
        #expect(steps(.due, all) == [.fetchTimestamp, .fetchHalt, .advance, .done])
        #expect(steps(.due, all, isKnown: false) == [.fetchTimestamp, .fetchHalt, .done])
        #expect(steps(.halted(until: now), all) == [.fetchTimestamp, .fetchHalt, .done])
        #expect(steps(.haltMissing(until: now), all) == [.fetchTimestamp, .fetchHalt, .done])
        #expect(steps(.waiting(until: now), all) == [.fetchTimestamp, .done])
        #expect(steps(.none, all) == [.fetchTimestamp, .done])
    }

    @Test func aBundleThatTheServerDoesNotConfirmIsNotPutInForce() throws {
        #expect(steps(.due, isConfirmed: false, try settings()) == [.fetchTimestamp, .done])
    }

    @Test func withoutKeysNothingIsRequested() throws {
        #expect(steps(.due, try settings(halts: false, timestamps: false)) == [.advance, .done])
        #expect(steps(.none, isConfirmed: false, try settings(halts: false, timestamps: false)) == [.done])
        #expect(steps(.due, try settings(halts: true, timestamps: false)) == [.fetchHalt, .advance, .done])
    }

    @Test func onlyOldHaltsAreHarmless() {
        let harmless: [BundleError.Code] = [.haltExpired, .haltReplayed]
        let others: [BundleError.Code] = [
            .badSignature, .malformed, .unknownKey, .haltFromFuture, .haltTooLong, .tooLarge,
        ]
        #expect(harmless.allSatisfy { RolloutRound.isHarmless(BundleError($0, "x")) })
        #expect(!others.contains { RolloutRound.isHarmless(BundleError($0, "x")) })
        for (status, isAbsent) in [(404, true), (410, true), (403, false), (500, false), (200, false)] {
            #expect(RolloutRound.isAbsent(BundleFetchError(.status, "x", status: status)) == isAbsent)
        }
        #expect(!RolloutRound.isAbsent(BundleFetchError(.network, "x")))
    }

    @Test(arguments: [
        ("https://a.example/shop.bundle", "https://a.example/shop.bundle.halt"),
        ("https://a.example/shop.bundle?x=1", "https://a.example/shop.bundle.halt?x=1"),
    ])
    func theHaltIsNextToTheBundle(url: String, expected: String) {
        var configuration = PinBundleFetcher.Configuration(url: url)
        #expect(configuration.address(of: .halt) == expected)
        #expect(configuration.address(of: .timestamp) == expected.replacing(".halt", with: ".timestamp"))
        #expect(configuration.address(of: .bundle) == url)
        configuration.haltURL = "https://b.example/h"
        configuration.timestampURL = "https://b.example/t"
        #expect(configuration.address(of: .halt) == "https://b.example/h")
        #expect(configuration.address(of: .timestamp) == "https://b.example/t")
    }
}
