import Foundation
import HoldfastCompatibility
import HoldfastTestSupport
import Testing

@Suite("seeds/004: the validator")
struct Seed004Tests {
    /// The shared instance of the process, as in an app. The test that runs first configures it, once.
    private static let world = Result {
        let world = try SampleWorld()
        TrustKit.initSharedInstance(
            withConfiguration: [
                kTSKSwizzleNetworkDelegates: false,
                kTSKPinnedDomains: [
                    SampleWorld.host: [
                        kTSKPublicKeyHashes: [
                            world.leaf.spkiDigest.base64, SPKIDigest(hashing: Array("backup".utf8)).base64,
                        ],
                        kTSKEnforcePinning: true,
                    ]
                ],
            ], environment: TrustKitEnvironment(anchors: world.anchors, clock: .fixed(world.factory.now)))
        return world
    }

    private let world: SampleWorld

    init() throws {
        world = try Self.world.get()
    }

    private func trust(_ identity: Identity) -> ServerTrust { ServerTrust(PresentedChain(der: identity.chain)) }

    /// Returns the delegate's answer about a server, as a session would ask for it.
    private func answer(_ identity: Identity, host: String = SampleWorld.host) async throws -> ChallengeAnswer {
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: URLRequest(url: URL(fileURLWithPath: "/dev/null")))
        return await ServerTrustChallenge(trust(identity), for: TrustSubject(host: try CanonicalHost(host)))
            .answer(from: KitDelegate(), of: session, task: task)
    }

    @Test func theHandlerAnswersTheChallenge() async throws {
        #expect(try await answer(world.leaf) == .accepted)
        #expect(try await answer(world.renewed) == .accepted)
        #expect(try await answer(world.other) == .refused(.cancelled))
        #expect(try await answer(world.selfSigned) == .refused(.cancelled))
        #expect(try await answer(world.selfSigned, host: "www.example.org") == .systemDecides)
    }

    @Test func theHandlerDecidesAboutConnections() async throws {
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: URLRequest(url: URL(fileURLWithPath: "/dev/null")))
        let transport = world.transport(
            .delegate(KitDelegate(), of: session, task: task, anchors: world.anchors))
        try await world.expectAccepted(world.leaf, by: transport)
        #expect(try await world.refusal(of: world.other, by: transport) == .evaluatorRefused)
        #expect(try await world.refusal(of: world.selfSigned, by: transport) == .evaluatorRefused)
    }

    /// What the page's warning is about: only the caller can validate a host without pins.
    @Test func aLowLevelConnectionIsEvaluatedByHand() {
        let system = SystemTrustEvaluator(anchors: world.anchors, clock: .fixed(world.factory.now))
        func mayTalk(_ identity: Identity, host: String = SampleWorld.host) -> Bool {
            SeedSamplesTests.mayTalk(to: host, presenting: trust(identity)) { trust, host in
                try system.evaluate(ServerTrust(trust), forHost: host)
            }
        }
        #expect(mayTalk(world.leaf))
        #expect(!mayTalk(world.other))
        #expect(!mayTalk(world.selfSigned))
        #expect(!mayTalk(world.selfSigned, host: "www.example.org"))
        #expect(
            TrustKit.sharedInstance().pinningValidator.evaluateTrust(
                trust(world.selfSigned), forHostname: "www.example.org") == .domainNotPinned)
    }
}
