import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests that members of composites and wrappers use the anchors and the time of the calling context.
@Suite("Composite evaluators")
struct CompositeEvaluatorTests {
    let fixture: EvaluatorScene
    static let accepting = ClosureEvaluator { _, _ in }
    static let refusing = ClosureEvaluator { _, _ in throw Refusal() }

    struct Refusal: Error {}

    init() throws {
        fixture = try EvaluatorScene()
    }

    @Test("a member next to a custom one uses the anchors and time of the context, at any position")
    func membersKeepTheContext() async throws {
        let custom = Self.accepting
        for member in [fixture.pinned, SystemTrustEvaluator()] as [any ServerTrustEvaluator] {
            for composite in [
                CompositeEvaluator.all([custom, member]), .all([member, custom]), .any([Self.refusing, member]),
                .all([.all([custom, member]) as CompositeEvaluator, custom]),
            ] {
                let verdict = try await fixture.verdict(composite)
                #expect(verdict.decision == .allow, "\(verdict)")
                #expect(verdict.time == fixture.scene.now)
                let wrapped = try await fixture.verdict(DangerouslyReplacingSystemTrust(composite))
                #expect(wrapped.decision == .allow, "\(wrapped)")
            }
        }
    }

    @Test("one of Holdfast's evaluators inside the replacement verifies as usual")
    func replacementWithBuiltInEvaluator() async throws {
        let pinned = DangerouslyReplacingSystemTrust(fixture.pinned)
        #expect(try await fixture.verdict(pinned).finding.code == .pinMatched)
        #expect(try await fixture.verdict(pinned, [fixture.stranger]).finding.code == .unknownIssuer)
    }

    @Test("a custom evaluator that calls one of Holdfast's evaluators passes on the context")
    func customWrapsBuiltInEvaluator() async throws {
        let pinned = fixture.pinned
        let wronglyPinned = fixture.wronglyPinned
        let around = ClosureEvaluator { trust, host in
            try await CompositeEvaluator.all([pinned, SystemTrustEvaluator()]).evaluate(trust, forHost: host)
        }
        #expect(try await fixture.verdict(around).decision == .allow)
        let aroundWrong = ClosureEvaluator { try wronglyPinned.evaluate($0, forHost: $1) }
        let verdict = try await fixture.verdict(aroundWrong)
        expectOnly(.pinMismatch, verdict)
        #expect(verdict.time == fixture.scene.now)
        // The context does not apply outside of the call.
        #expect(await fixture.refusal(pinned) != nil)
    }

    @Test("an evaluator's own anchors take precedence over those of the context")
    func ownAnchors() async throws {
        let other = try fixture.scene.factory.authority("Other")
        let evaluator = SystemTrustEvaluator(anchors: fixture.scene.anchors([other]))
        expectOnly(.unknownIssuer, try await fixture.verdict(evaluator))
        expectOnly(.unknownIssuer, try await fixture.verdict(CompositeEvaluator.all([Self.accepting, evaluator])))
    }

    @Test("a custom member cannot accept a server that the system refuses, in either kind of composite")
    func customBehindSystemTrust() async throws {
        for composite in [CompositeEvaluator.any([fixture.pinned, Self.accepting]), .all([Self.accepting])] {
            let verdict = try await fixture.verdict(composite, [fixture.stranger])
            #expect(verdict.finding.code == .unknownIssuer, "\(verdict)")
            #expect(!verdict.permitsConnection)
        }
        let replacing = DangerouslyReplacingSystemTrust(CompositeEvaluator.any([fixture.pinned, Self.accepting]))
        #expect(try await fixture.verdict(replacing, [fixture.stranger]).finding.code == .evaluatorAccepted)
    }

    @Test("a replacement of system trust in a composite does not affect the other members")
    func replacementDoesNotAffectOtherMembers() async throws {
        let calls = Counter()
        let neighbour = ClosureEvaluator { _, _ in calls.increase() }
        let composite = CompositeEvaluator.all([DangerouslyReplacingSystemTrust(Self.accepting), neighbour])
        expectOnly(.unknownIssuer, try await fixture.verdict(composite, [fixture.stranger]))
        #expect(calls.value == 0, "the other member runs after the system verification")
    }

    @Test("all: the first refusal decides, and later members do not run")
    func allStopsAtTheFirstRefusal() async throws {
        let calls = Counter()
        let counting = ClosureEvaluator { _, _ in calls.increase() }
        let verdict = try await fixture.verdict(CompositeEvaluator.all([counting, Self.refusing, counting]))
        #expect(verdict.finding.code == .evaluatorRefused)
        #expect(calls.value == 1)
        let early = try await fixture.verdict(CompositeEvaluator.all([fixture.wronglyPinned, counting]))
        #expect(early.finding.code == .pinMismatch)
        #expect(calls.value == 1)
    }

    @Test("any: the first acceptance decides; otherwise the last refusal is returned with the others as notices")
    func anyStopsAtTheFirstAcceptance() async throws {
        let calls = Counter()
        let counting = ClosureEvaluator { _, _ in
            calls.increase()
            throw Refusal()
        }
        let accepted = try await fixture.verdict(CompositeEvaluator.any([fixture.pinned, counting]))
        #expect(accepted.finding.code == .pinMatched && calls.value == 0)
        let refused = try await fixture.verdict(CompositeEvaluator.any([fixture.wronglyPinned, counting]))
        #expect(refused.finding.code == .evaluatorRefused && !refused.permitsConnection)
        #expect(refused.notices.map(\.code) == [.pinMismatch])
    }

    @Test("an empty composite refuses every server, inside and outside of a context")
    func empty() async throws {
        for composite in [CompositeEvaluator.all([]), .any([])] {
            expectOnly(.invalidConfiguration, try await fixture.verdict(composite))
            await #expect(throws: CompositeEvaluator.EmptyError.self) {
                try await composite.evaluate(
                    ServerTrust(fixture.scene.chain([fixture.server])), forHost: TrustScene.host)
            }
        }
    }

    @Test("a composite of Holdfast's evaluators returns immediately, one with a custom member later")
    func synchronousOrAsynchronous() throws {
        guard case .now(let verdict) = try fixture.judgement(CompositeEvaluator.all([fixture.pinned, fixture.pinned]))
        else {
            Issue.record("no member is asynchronous")
            return
        }
        #expect(verdict.permitsConnection)
        if case .now = try fixture.judgement(CompositeEvaluator.all([fixture.pinned, Self.accepting])) {
            Issue.record("a custom evaluator must be asynchronous")
        }
    }
}
