import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// How policies and evaluators of each kind receive the list of logs of their context.
@Suite("Certificate timestamps in contexts") struct TransparencyContextTests {
    enum Kind: String, CaseIterable, Sendable {
        case policy, replaceablePolicy, evaluator, evaluatorWithAnchors, composite, customEvaluator
    }

    let world: TransparencyScene

    init() throws {
        world = try TransparencyScene()
    }

    private func context(_ kind: Kind, logs: TransparencyLogHolder?) throws -> TrustContext {
        let anchors = TrustAnchors.only([world.root.view])
        let own = CertificateTransparencyEvaluator(.chrome)
        func evaluators(_ evaluator: any ServerTrustEvaluator, _ anchors: TrustAnchors) -> TrustContext {
            .evaluators([TrustScene.host: evaluator], anchors: anchors, logs: logs)
        }
        switch kind {
        case .policy: return .policy(try world.policy(), anchors: anchors, logs: logs)
        case .replaceablePolicy:
            return .policies(PolicyHolder(try world.policy()), anchors: anchors, logs: logs)
        case .evaluator: return evaluators(own, anchors)
        case .evaluatorWithAnchors:
            return evaluators(CertificateTransparencyEvaluator(.chrome, anchors: anchors), .only([]))
        case .composite:
            let pins = PublicKeyPinningEvaluator(pinnedKeyHashes: [world.issuing.spkiDigest.data])
            return evaluators(CompositeEvaluator.all([pins, own]), anchors)
        case .customEvaluator:
            return evaluators(ClosureEvaluator { try own.evaluate($0, forHost: $1) }, anchors)
        }
    }

    private func verdict(_ context: TrustContext, on server: Identity) async throws -> TrustVerdict {
        await context.judge(world.scene.chain([server, world.issuing]), for: try world.scene.subject(), at: world.now)
            .verdict()
    }

    @Test("the list of the context decides", arguments: Kind.allCases)
    func list(kind: Kind) async throws {
        let server = try world.server([world.oak, world.elm])
        let unlogged = try world.scene.factory.leaf([TrustScene.host], signedBy: world.issuing)
        let holder = TransparencyLogHolder(try TestLog.logs(world.all))
        let context = try context(kind, logs: holder)
        #expect(try await verdict(context, on: server).permitsConnection)
        expectOnly(.sctsMissing, try await verdict(context, on: unlogged))
        // The app replaces the list in the running context, also if the verdict is cached.
        let rejected = world.elm.with { $0.state = .rejected }
        #expect(holder.replace(with: try TestLog.logs([world.oak, rejected], issued: world.now)))
        expectMissing(.sctLogNotTrusted, valid: 1, try await verdict(context, on: server))
    }

    @Test(
        "without a list, with an empty holder and with an outdated list, the server is refused",
        arguments: Kind.allCases)
    func noList(kind: Kind) async throws {
        let server = try world.server([world.oak, world.elm])
        expectOnly(.logListMissing, try await verdict(try context(kind, logs: nil), on: server))
        let holder = TransparencyLogHolder()
        let context = try context(kind, logs: holder)
        expectOnly(.logListMissing, try await verdict(context, on: server))
        let issued = world.now.advanced(bySeconds: -TransparencyLogs.defaultMaximumAge - 1)
        holder.replace(with: try TestLog.logs(world.all, issued: issued))
        expectOnly(.logListOutdated, try await verdict(context, on: server))
        // Only the missing list refused the server.
        holder.replace(with: try TestLog.logs(world.all))
        #expect(try await verdict(context, on: server).permitsConnection)
    }

    @Test("an evaluator with its own logs ignores those of the context")
    func ownLogs() async throws {
        let server = try world.server([world.oak, world.elm])
        let own = CertificateTransparencyEvaluator(.chrome, logs: try TestLog.logs([world.ash]))
        let context = TrustContext.evaluators(
            [TrustScene.host: own], anchors: .only([world.root.view]),
            logs: TransparencyLogHolder(try TestLog.logs(world.all)))
        #expect(try await verdict(context, on: server).finding.code == .sctsMissing)
    }

    @Test("outside a context, an evaluator without logs refuses every server")
    func outsideAContext() throws {
        let server = try world.server([world.oak, world.elm])
        let evaluator = CertificateTransparencyEvaluator(
            .chrome, anchors: .only([world.root.view]), clock: .fixed(world.now))
        let trust = ServerTrust(world.scene.chain([server, world.issuing]))
        let refusal = #expect(throws: TrustRefusal.self) { try evaluator.evaluate(trust, forHost: TrustScene.host) }
        #expect(refusal?.verdict.finding.code == .logListMissing)
    }
}
