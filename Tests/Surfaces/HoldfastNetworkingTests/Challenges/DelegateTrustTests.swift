import Foundation
import HoldfastNetworking
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Logging
import Testing

/// What a delegate may decide. Pins come first; a delegate can replace only the system verification of an unpinned
/// host.
@Suite struct DelegateTrustTests {
    private let scene: ChallengeScene

    init() throws {
        scene = try ChallengeScene()
    }

    private static let accepting: ScriptedDelegate.Script = { challenge, reply in
        reply(.useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
    }
    private static let cancelling: ScriptedDelegate.Script = { $1(.cancelAuthenticationChallenge, nil) }
    private static let leaving: ScriptedDelegate.Script = { $1(.performDefaultHandling, nil) }

    private func verdict(
        on identity: Identity, _ delegate: ScriptedDelegate, policy: PinningPolicy? = nil, logger: Logger? = nil
    ) async throws -> TrustVerdict {
        let context = TrustContext.delegate(
            delegate, of: scene.session, policy: policy, anchors: .only([scene.root.view]), logger: logger)
        return await context.judge(
            scene.trust(identity).presented, for: try scene.subject(), at: scene.factory.now
        ).verdict()
    }

    private func pinning(
        _ identity: Identity, _ enforcement: PinningRule.Enforcement = .enforce
    ) throws -> PinningPolicy {
        let backup = SPKIDigest(hashing: Array("backup".utf8))
        return try PinningPolicy(
            name: "test",
            rules: [
                PinningRule(
                    host: try CanonicalHost(ChallengeScene.host),
                    pins: PinSet([Pin(identity.spkiDigest), Pin(backup)]),
                    enforcement: enforcement)
            ])
    }

    @Test func theVerificationOfAnUnpinnedHostIsReplacedAndLogged() async throws {
        let log = RecordingLogHandler()
        let verdict = try await verdict(
            on: scene.selfSigned, ScriptedDelegate(session: Self.accepting), logger: log.logger())
        #expect(verdict.permitsConnection)
        #expect(verdict.finding.code == .evaluatorAccepted)
        #expect(verdict.systemFinding?.code == .unknownIssuer)
        #expect(log.messages(atLeast: .warning).count == 1)
        #expect(log.entries.first?.metadata["finding"] == "unknownIssuer")
    }

    @Test func aDelegateThatAgreesCausesNoWarning() async throws {
        let log = RecordingLogHandler()
        let verdict = try await verdict(on: scene.leaf, ScriptedDelegate(session: Self.accepting), logger: log.logger())
        #expect(verdict.permitsConnection)
        #expect(verdict.finding.code == .validPath)
        #expect(log.messages(atLeast: .info).isEmpty)
        #expect(log.entries.count == 1)
    }

    @Test func defaultHandlingUsesTheSystemVerification() async throws {
        #expect(try await verdict(on: scene.leaf, ScriptedDelegate(session: Self.leaving)).permitsConnection)
        let refused = try await verdict(on: scene.selfSigned, ScriptedDelegate(session: Self.leaving))
        #expect(!refused.permitsConnection)
        #expect(refused.systemFinding?.code == .unknownIssuer)
    }

    @Test func cancellingRefusesAValidServer() async throws {
        let verdict = try await verdict(on: scene.leaf, ScriptedDelegate(session: Self.cancelling))
        #expect(verdict.decision == .block)
        #expect(verdict.finding.code == .evaluatorRefused)
    }

    /// The attack: a delegate that accepts everything, in front of a pinned host.
    @Test func noDelegateOverridesAPinMismatch() async throws {
        for presented in [scene.leaf, scene.selfSigned] {
            let delegate = ScriptedDelegate(session: Self.accepting)
            let verdict = try await verdict(
                on: presented, delegate, policy: pinning(try scene.factory.leaf(["x"], signedBy: nil)))
            #expect(verdict.decision == .block)
            #expect(delegate.methods.isEmpty)
        }
    }

    @Test func aDelegateMayRefuseAPinnedServer() async throws {
        let policy = try pinning(scene.leaf)
        let accepted = try await verdict(on: scene.leaf, ScriptedDelegate(session: Self.accepting), policy: policy)
        #expect(accepted.finding.code == .pinMatched)
        #expect(accepted.permitsConnection)
        let refused = try await verdict(on: scene.leaf, ScriptedDelegate(session: Self.cancelling), policy: policy)
        #expect(refused.decision == .block)
    }

    @Test func aReportedMismatchStaysReported() async throws {
        let other = try scene.factory.leaf(["x"], signedBy: nil)
        let verdict = try await verdict(
            on: scene.leaf, ScriptedDelegate(session: Self.accepting), policy: pinning(other, .reportOnly))
        #expect(verdict.permitsConnection)
        #expect(verdict.finding.code == .pinMismatch)
        let invalid = try await self.verdict(
            on: scene.selfSigned, ScriptedDelegate(session: Self.accepting), policy: pinning(other, .reportOnly))
        #expect(invalid.decision == .block)
    }

    /// The same with a real handshake.
    @Test func theDelegateDecidesAboutAConnection() async throws {
        let accepting = scene.transport(ScriptedDelegate(session: Self.accepting))
        let cancelling = scene.transport(ScriptedDelegate(session: Self.cancelling))
        try await ScriptedServer.with(tls: ServerTLS(scene.selfSigned)) { _ in
            [.respond("ok")]
        } _: { server in
            let request = URLRequest(
                url: try #require(URL(string: "https://\(ChallengeScene.host):\(server.port)/")))
            #expect(try await accepting.data(for: request).0 == Data("ok".utf8))
            let error = await #expect(throws: TransportError.self) { try await cancelling.data(for: request) }
            #expect(error?.verdict?.finding.code == .evaluatorRefused)
            #expect(server.requests.count == 1)
        }
    }
}
