import HoldfastTestSupport
@testable import HoldfastTrust
import Synchronization
import Testing

/// Tests which chains are judged on an event loop: small ones that are accepted, and only by Holdfast's own checks.
@Suite("Prompt verdicts")
struct PromptVerdictTests {
    let scene = TrustScene()
    let root: Identity
    let intermediate: Identity
    let leaf: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        intermediate = try scene.factory.intermediate("Intermediate", signedBy: root)
        leaf = try scene.factory.leaf([TrustScene.host], signedBy: intermediate)
    }

    private func pinned(_ pins: [Pin]? = nil) throws -> TrustContext {
        .policy(try scene.policy(pins ?? [Pin(intermediate)]), anchors: scene.anchors([root]))
    }

    private func isPrompt(_ context: TrustContext, _ presented: [Identity]) -> Bool {
        context.isPrompt(for: presented.map(\.certificateDER), at: scene.now)
    }

    private func verdict(_ context: TrustContext, _ presented: [Identity]) throws -> TrustVerdict? {
        context.promptVerdict(on: scene.chain(presented), for: try scene.subject(), at: scene.now)
    }

    @Test func isTheSameVerdictAsThatOfAnEvaluation() async throws {
        let contexts = [
            try pinned(), .system(anchors: scene.anchors([root])),
            .policies(PolicyHolder(try scene.policy([Pin(leaf)])), anchors: scene.anchors([root])),
            .pinnedKeysOnly(PinnedKeysOnly(keys: [leaf.spkiDigest])),
        ]
        for context in contexts {
            #expect(isPrompt(context, [leaf, intermediate]), "\(context.name)")
            let prompt = try #require(try verdict(context, [leaf, intermediate]), "\(context.name)")
            let full = await context.judge(
                scene.chain([leaf, intermediate]), for: try scene.subject(), at: scene.now
            ).verdict()
            #expect(prompt == full)
            #expect(prompt.permitsConnection)
        }
    }

    /// A refusal is explained by a further search, and an attacker must not make an event loop do that.
    @Test func aRefusalIsNotPrompt() throws {
        let rogue = try scene.factory.authority("Rogue")
        let impostor = try scene.factory.leaf([TrustScene.host], signedBy: rogue)
        #expect(isPrompt(try pinned(), [impostor, rogue]))
        #expect(try verdict(pinned(), [impostor, rogue]) == nil)
        #expect(try verdict(pinned([Pin(rogue)]), [leaf, intermediate]) == nil)
    }

    @Test func aChainWithManyCertificatesIsNotPrompt() throws {
        let context = try pinned()
        #expect(isPrompt(context, [leaf, intermediate, root, root]))
        #expect(!isPrompt(context, [leaf, intermediate, root, root, root]))
    }

    @Test func aLargeChainIsNotPrompt() throws {
        let context = try pinned()
        let limit = PromptJudge.budget.presentedBytes
        let rest = [UInt8](repeating: 0, count: limit - leaf.certificateDER.count)
        #expect(context.isPrompt(for: [leaf.certificateDER, rest], at: scene.now))
        #expect(!context.isPrompt(for: [leaf.certificateDER, rest + [0]], at: scene.now))
    }

    /// A signature of a P-521 key counts as four checks. The full evaluation accepts the chain.
    @Test func expensiveSignaturesAreNotPrompt() async throws {
        let large = try scene.factory.intermediate("Large", signedBy: root, CertificateOptions(keyKind: .p521))
        let presented = [try scene.factory.leaf([TrustScene.host], signedBy: large), large]
        let context = try pinned([Pin(large)])
        #expect(isPrompt(context, presented))
        #expect(try verdict(context, presented) == nil)
        let full = await context.judge(scene.chain(presented), for: try scene.subject(), at: scene.now).verdict()
        #expect(full.permitsConnection)
    }

    /// A report-only rule accepts a path without a pin. With the small budget, the search ends before it finds the path
    /// with the pin.
    @Test func aVerdictThatTheBudgetLimitedIsNotPrompt() async throws {
        let other = try scene.factory.authority("Other")
        let crossed = try scene.factory.intermediate(
            "Intermediate", signedBy: other, CertificateOptions(key: intermediate.key))
        let policy = try scene.policy([Pin(other)]) { $0.enforcement = .reportOnly }
        let context = TrustContext.policy(policy, anchors: scene.anchors([root, other]))
        let presented = [leaf, intermediate, crossed]
        #expect(isPrompt(context, presented))
        #expect(try verdict(context, presented) == nil)
        #expect(
            context.cachedVerdict(on: presented.map(\.certificateDER), for: try scene.subject(), at: scene.now) == nil)
        let full = await context.judge(scene.chain(presented), for: try scene.subject(), at: scene.now).verdict()
        #expect(full.finding.code == .pinMatched)
    }

    @Test func otherChecksAreNotPrompt() throws {
        let anchors = scene.anchors([root])
        let revocation = OCSPRevocationEvaluator(requester: NoAnswers())
        let contexts: [TrustContext] = [
            .evaluators([TrustScene.host: SystemTrustEvaluator()], anchors: anchors),
            .dangerouslyAcceptAnyCertificate(),
            try pinned().checkingRevocation(with: revocation),
            TrustContext(name: "own") { chain, subject, time in
                .now(TrustEngine(anchors: anchors).evaluate(chain, for: subject, at: time))
            },
        ]
        for context in contexts {
            #expect(!isPrompt(context, [leaf, intermediate]), "\(context.name)")
            #expect(try verdict(context, [leaf, intermediate]) == nil, "\(context.name)")
        }
    }

    private struct NoAnswers: OCSPRequester {
        func response(to request: [UInt8], at url: String) async throws -> [UInt8] { [] }
    }

    @Test func certificateTimestampsAreNotCheckedPromptly() throws {
        let plain = try scene.policy([Pin(leaf)])
        let strict = try scene.policy([Pin(leaf)]) { $0.transparency = TransparencyRequirement(.chrome) }
        #expect(!isPrompt(.policy(strict, anchors: scene.anchors([root])), [leaf, intermediate]))
        let holder = PolicyHolder(plain)
        let context = TrustContext.policies(holder, anchors: scene.anchors([root]))
        #expect(isPrompt(context, [leaf, intermediate]))
        holder.replace(with: strict)
        #expect(!isPrompt(context, [leaf, intermediate]))
    }

    @Test func isCachedAndRecordedOnce() throws {
        let log = VerdictLog()
        let context = try pinned().reporting(to: log)
        #expect(try verdict(context, [leaf, intermediate]) != nil)
        #expect(log.count.withLock { $0 } == 1)
        let der = [leaf, intermediate].map(\.certificateDER)
        #expect(context.cachedVerdict(on: der, for: try scene.subject(), at: scene.now)?.isFromCache == true)
    }

    private final class VerdictLog: TrustEventSink {
        let count = Mutex(0)
        func record(_ verdict: TrustVerdict) { count.withLock { $0 += 1 } }
    }

    @Test func theContextWithoutACacheIsStillPrompt() throws {
        #expect(isPrompt(try pinned().withoutVerdictCache(), [leaf, intermediate]))
    }
}
