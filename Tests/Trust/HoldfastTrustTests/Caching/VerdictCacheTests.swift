import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests that a verdict is cached only as long as its inputs cannot have changed.
@Suite("Verdict cache")
struct VerdictCacheTests {
    let scene = TrustScene()
    let root: Identity
    let leaf: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
    }

    /// Evaluates a chain and returns whether the next lookup finds the verdict.
    private func isRemembered(
        _ context: TrustContext, _ presented: [Identity], at time: Timestamp, lookedUpAt later: Timestamp,
        host: String = TrustScene.host
    ) throws -> Bool {
        _ = context.judge(scene.chain(presented), for: try scene.subject(), at: time)
        let found = context.cachedVerdict(
            on: presented.map(\.certificateDER), for: try scene.subject(host), at: later)
        return found?.isFromCache == true && found?.permitsConnection == true
    }

    private var context: TrustContext { .system(anchors: scene.anchors([root])) }

    @Test func cachesAcceptedChainForAMinute() throws {
        #expect(try isRemembered(context, [leaf], at: scene.now, lookedUpAt: scene.now))
        #expect(try isRemembered(context, [leaf], at: scene.now, lookedUpAt: scene.now.advanced(bySeconds: 59)))
        #expect(try !isRemembered(context, [leaf], at: scene.now, lookedUpAt: scene.now.advanced(bySeconds: 60)))
    }

    @Test func certificateExpiryEndsCaching() throws {
        let short = try scene.factory.leaf(
            [TrustScene.host], signedBy: root, .init(notAfter: scene.now.advanced(bySeconds: 10)))
        #expect(try isRemembered(context, [short], at: scene.now, lookedUpAt: scene.now.advanced(bySeconds: 9)))
        #expect(try !isRemembered(context, [short], at: scene.now, lookedUpAt: scene.now.advanced(bySeconds: 11)))
    }

    @Test func pinExpiryEndsCaching() throws {
        let policy = try scene.policy([Pin(leaf)]) { $0.expires = scene.now.advanced(bySeconds: 5) }
        let pinned = TrustContext.policy(policy, anchors: scene.anchors([root]))
        #expect(try isRemembered(pinned, [leaf], at: scene.now, lookedUpAt: scene.now.advanced(bySeconds: 4)))
        #expect(try !isRemembered(pinned, [leaf], at: scene.now, lookedUpAt: scene.now.advanced(bySeconds: 5)))
    }

    @Test func otherHostOrChainIsNotCached() throws {
        #expect(try !isRemembered(context, [leaf], at: scene.now, lookedUpAt: scene.now, host: "other.example.com"))
        let shared = context
        _ = shared.judge(scene.chain([leaf, root]), for: try scene.subject(), at: scene.now)
        let subject = try scene.subject()
        #expect(shared.cachedVerdict(on: [leaf.certificateDER], for: subject, at: scene.now) == nil)
        let joined = [leaf.certificateDER + root.certificateDER]
        #expect(shared.cachedVerdict(on: joined, for: subject, at: scene.now) == nil)
        #expect(
            shared.cachedVerdict(on: [leaf.certificateDER, root.certificateDER], for: subject, at: scene.now) != nil)
    }

    @Test func clockGoingBackClearsCache() throws {
        let shared = context
        let subject = try scene.subject()
        _ = shared.judge(scene.chain([leaf]), for: subject, at: scene.now)
        let der = [leaf.certificateDER]
        #expect(shared.cachedVerdict(on: der, for: subject, at: scene.now.advanced(bySeconds: -1)) == nil)
        #expect(shared.cachedVerdict(on: der, for: subject, at: scene.now) == nil)
    }

    @Test func refusalIsNotCached() throws {
        let stranger = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let shared = context
        _ = shared.judge(scene.chain([stranger]), for: try scene.subject(), at: scene.now)
        let found = shared.cachedVerdict(on: [stranger.certificateDER], for: try scene.subject(), at: scene.now)
        #expect(found == nil)
    }

    @Test func customEvaluatorIsNotCached() async throws {
        let custom = TrustContext.evaluators(
            [TrustScene.host: ClosureEvaluator { _, _ in }], anchors: scene.anchors([root]))
        guard case .later(let evaluate) = custom.judge(scene.chain([leaf]), for: try scene.subject(), at: scene.now)
        else {
            Issue.record("a custom evaluator must be asynchronous")
            return
        }
        #expect(await evaluate().permitsConnection)
        let found = custom.cachedVerdict(on: [leaf.certificateDER], for: try scene.subject(), at: scene.now)
        #expect(found == nil)
    }

    @Test func contextWithoutCacheStoresNothing() throws {
        #expect(try !isRemembered(context.withoutVerdictCache(), [leaf], at: scene.now, lookedUpAt: scene.now))
    }

    @Test func evictsOldestEntries() throws {
        let cache = VerdictCache(capacity: 2)
        let verdict = try scene.system([leaf], anchors: [root])
        let subject = try scene.subject()
        let digests = (0..<3).map { ChainDigest([[UInt8($0)]]) }
        for digest in digests { cache.store(verdict, on: digest, for: subject, .init(roots: 0)) }
        let found = digests.map { cache.verdict(on: $0, for: subject, at: scene.now, .init(roots: 0)) != nil }
        #expect(found == [false, true, true])
        #expect(
            cache.verdict(on: digests[2], for: subject, at: scene.now, .init(roots: 1)) == nil,
            "the roots were reloaded")
        cache.store(verdict, on: digests[2], for: subject, .init(roots: 1))
        let other = VerdictCache.Generation(roots: 1, policy: 1)
        #expect(cache.verdict(on: digests[2], for: subject, at: scene.now, other) == nil, "the policy changed")
    }
}
