import Foundation
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

/// The whole loop: apps report failures, the collector publishes a halt, and other apps do not switch.
@Suite("A roll-out that stops itself", .timeLimit(.minutes(2)))
struct RolloutLoopTests {
    private let scene = RolloutScene()
    private let sample: Sample
    private let folder: TemporaryDirectory
    private var path: String { folder.path + "/shop.bundle.halt" }

    private struct Unexpected: Error {}

    init() throws {
        sample = try Sample.shared.get()
        folder = try TemporaryDirectory()
    }

    /// Returns the verdict of an app whose policy does not list the server's key.
    private func failure(to uri: String) throws -> TrustVerdict {
        var rule = try PinningRule(HostPattern(Sample.host), pins: PinSet([Pin(SPKIDigest(hashing: [7]))]))
        rule.reportURIs = [uri]
        let context = TrustContext.policy(
            try PinningPolicy(name: "shop", rules: [rule], backupPins: .off), anchors: .only([sample.root.view]))
        let judgement = context.judge(
            PresentedChain(der: sample.leaf.chain),
            for: TrustSubject(host: try CanonicalHost(Sample.host), port: 443), at: Sample.time)
        guard case .now(let verdict) = judgement else { throw Unexpected() }
        return verdict
    }

    /// Reports a failure of one installation, and returns when the collector has accepted it.
    private func report(client: Int, version: Int64, to address: ReportCollectorAddress) async throws {
        let told = AsyncStream.makeStream(of: ReportEvent.self)
        var configuration = PinFailureReporter.Configuration(
            folder: folder.path + "/reports-\(client)",
            identity: ReportIdentity(
                bundleID: RolloutScene.application, version: "2.4", vendorID: "installation \(client)",
                platform: "LINUX", platformVersion: "6.1.0"))
        let clock = ManualTrustClock(Sample.time)
        configuration.clock = clock.clock
        configuration.policyVersion = { version }
        configuration.onEvent = { told.continuation.yield($0) }
        let transport = PinFailureReporter.transport(configuration)
        let reporter = PinFailureReporter(
            configuration: configuration, client: { HTTPClient(configuration: transport) },
            // Each report has an identifier of its own.
            entropy: { .max - UInt64(client) },
            pause: { clock.advance(bySeconds: $0.components.seconds) })
        reporter.record(try failure(to: address.url + "/reports"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await reporter.run() }
            for await event in told.stream where event != .kept {
                #expect(event == .sent)
                break
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// Returns an app with version 3 that has received the new bundle and waits for its stage.
    private func app() throws -> BundleHolder {
        let keys = [try BundleKey(id: scene.signer.id, publicKey: Array(scene.signer.publicKeyPEM.utf8))]
        // Without an identity, only the last stage covers the installation.
        let settings = RolloutSettings(
            participant: RolloutParticipant(platform: "linux"),
            haltKeys: [
                try BundleHaltKey(id: scene.halting.id, publicKey: Array(scene.halting.publicKeyPEM.utf8))
            ])
        let state = BundleState(
            embedded: try PinningPolicy(holdfastJSON: RolloutScene.policy(1)), version: 3, keys: keys,
            application: RolloutScene.application, rollout: settings)
        let holder = BundleHolder(state, file: nil)
        guard case .deferred = try holder.offer(scene.bundle(), at: RolloutScene.start).acceptance else {
            throw Unexpected()
        }
        return holder
    }

    private func at(_ days: Int64) -> Timestamp { RolloutScene.start.advanced(bySeconds: days * RolloutScene.day) }

    @Test func reportsOfABadBundleStopItsRollout() async throws {
        let scene = scene
        let path = path
        try await CollectorUnderTest.with({
            $0.limits.burst = 1_000
            $0.desk.rollouts = [try scene.rollout()]
            $0.desk.haltOutput = try ReportHaltOutput(key: scene.halting, path: path)
        }) { test async throws in
            for client in 0..<3 { try await report(client: client, version: 3, to: test.address) }
            for client in 3..<17 { try await report(client: client, version: 4, to: test.address) }
            // 17 reports, the decision and the halt.
            let events = await test.events.events(19)
            #expect(events.contains { if case .rolloutStopped = $0 { true } else { false } })
            let metrics = try await test.request(.get, "/metrics")
            let text = String(decoding: metrics.body, as: UTF8.self)
            #expect(text.contains("holdfast_rollout_halts_total{outcome=\"published\"} 1\n"))
        }
        let halt = Array(try Data(contentsOf: URL(fileURLWithPath: path)))

        // The last stage begins after three days. The app that has the halt does not switch.
        let halted = try app()
        try halted.offer(halt: halt, at: at(3))
        #expect(try halted.advance(at: at(3)).acceptance == .deferred(until: at(7)))
        #expect(halted.version == 3 && halted.pendingVersion == 4)
        // Without the halt it would.
        let free = try app()
        #expect(try free.advance(at: at(3)).acceptance == .taken)
        #expect(free.version == 4)
    }

    /// An attacker with the key renews the halt forever.
    @Test func aStolenHaltKeyOnlyDelays() throws {
        let app = try app()
        for day in Int64(0)...16 {
            try app.offer(
                halt: scene.halt(issued: day * RolloutScene.day, lasts: 14 * RolloutScene.day).bytes, at: at(day))
            guard case .deferred = try app.advance(at: at(day)).acceptance else {
                Issue.record("not deferred on day \(day)")
                return
            }
            // The policy in force stays.
            #expect(app.version == 3)
        }
        // Fourteen days after the stage of the installation has begun, no halt counts.
        try app.offer(halt: scene.halt(issued: 17 * RolloutScene.day).bytes, at: at(17))
        #expect(try app.advance(at: at(17).advanced(bySeconds: 1)).acceptance == .taken)
        #expect(app.version == 4)
        // Nor can the key sign a bundle.
        #expect(throws: BundleError.self) {
            try SignedBundle(scene.bundle(by: scene.halting)).verify(
                keys: [BundleKey(id: "2031-a", publicKey: Array(scene.signer.publicKeyPEM.utf8))],
                application: RolloutScene.application)
        }
    }
}
