import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Replacing the policy in force")
struct PolicyHolderTests {
    let fixture: EvaluatorScene

    init() throws {
        fixture = try EvaluatorScene()
    }

    private func judge(_ context: TrustContext) async throws -> TrustVerdict {
        await context.judge(
            fixture.scene.chain([fixture.server]), for: try fixture.scene.subject(), at: fixture.scene.now
        ).verdict()
    }

    private func isRemembered(_ context: TrustContext) throws -> Bool {
        context.cachedVerdict(
            on: [fixture.server.certificateDER], for: try fixture.scene.subject(), at: fixture.scene.now) != nil
    }

    @Test("each evaluation uses the policy in force, and a change clears the cache")
    func exchange() async throws {
        let holder = PolicyHolder(try fixture.scene.policy([Pin(fixture.server)]))
        let context = TrustContext.policies(holder, anchors: fixture.scene.anchors([fixture.root]))
        #expect(context.revision == 0)
        #expect(try await judge(context).finding.code == .pinMatched)
        #expect(try isRemembered(context))

        holder.replace(with: try fixture.scene.policy([Pin(fixture.stranger)]))
        #expect(context.revision == 1)
        #expect(try !isRemembered(context), "the accepted chain is no longer pinned")
        #expect(try await judge(context).finding.code == .pinMismatch)

        holder.replace(with: try fixture.scene.policy([Pin(fixture.stranger)]))
        #expect(context.revision == 1, "setting the same policy again is not a change")
    }

    @Test("a stale policy stays in force, every verdict reports it, and no earlier verdict is cached beyond the end")
    func staleness() async throws {
        let end = fixture.scene.now.advanced(bySeconds: 10)
        let policy = try fixture.scene.policy([Pin(fixture.server)])
        let holder = PolicyHolder(policy)
        holder.replace(with: policy, freshUntil: end)
        #expect(holder.snapshot.revision == 0, "a longer freshness of the same pins does not require a new evaluation")
        let context = TrustContext.policies(holder, anchors: fixture.scene.anchors([fixture.root]))
        #expect(try await judge(context).notices.isEmpty)
        let subject = try fixture.scene.subject()
        let later = end.advanced(bySeconds: 1)
        #expect(context.cachedVerdict(on: [fixture.server.certificateDER], for: subject, at: later) == nil)
        let stale = await context.judge(fixture.scene.chain([fixture.server]), for: subject, at: later).verdict()
        #expect(stale.finding.code == .pinMatched && stale.notices.map(\.code) == [.policyStale])
        #expect(stale.description.contains("also: policyStale"))
        let refused = await context.judge(fixture.scene.chain([fixture.stranger]), for: subject, at: later).verdict()
        #expect(!refused.permitsConnection)
        #expect(holder.snapshot.notices(at: end).isEmpty, "the last second is still fresh")
    }

    @Test("wrapping contexts have its revision; a fixed policy has none")
    func revisions() throws {
        let holder = PolicyHolder(try fixture.scene.policy([Pin(fixture.server)]))
        let context = TrustContext.policies(holder)
        let asking = context.checkingRevocation(
            with: OCSPRevocationEvaluator(requester: ScriptedRequester { _, _ in [] }))
        let forgetful = context.withoutVerdictCache()
        holder.replace(with: try fixture.scene.policy([Pin(fixture.stranger)]))
        #expect([context.revision, asking.revision, forgetful.revision] == [1, 1, 1])
        #expect(TrustContext.policy(holder.snapshot.policy).revision == 0)
    }

    @Test("observers that are cancelled during a notification do not block", .timeLimit(.minutes(1)))
    func cancelledObservers() async throws {
        let policies = try [fixture.server, fixture.stranger].map { try fixture.scene.policy([Pin($0)]) }
        let holder = PolicyHolder(policies[0])
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<5_000 {
                    holder.replace(with: policies[number % 2])
                    if number % 64 == 0 { await Task.yield() }
                }
            }
            for _ in 0..<300 {
                group.addTask {
                    await withTaskGroup(of: Void.self) { observing in
                        observing.addTask { for await _ in holder.changes {} }
                        await Task.yield()
                        observing.cancelAll()
                    }
                }
            }
        }
        #expect(holder.snapshot.revision == 4_999)
    }

    @Test("observers receive the current policy and each new one; slow observers only the latest")
    func observers() async throws {
        let policies = try [fixture.server, fixture.stranger, fixture.root].map { try fixture.scene.policy([Pin($0)]) }
        let holder = PolicyHolder(policies[0])
        var prompt = holder.changes.makeAsyncIterator()
        var slow = holder.changes.makeAsyncIterator()
        #expect(await prompt.next() == holder.snapshot)
        holder.replace(with: policies[1])
        #expect(await prompt.next()?.revision == 1)
        holder.replace(with: policies[2])
        #expect(await prompt.next()?.policy == policies[2])
        #expect(await slow.next()?.revision == 2)
    }

    @Test("the streams end when the holder is released")
    func end() async throws {
        var holder: PolicyHolder? = PolicyHolder(.disabled(reason: "test"))
        var iterator = try #require(holder?.changes).makeAsyncIterator()
        #expect(await iterator.next()?.revision == 0)
        holder = nil
        #expect(await iterator.next() == nil)
    }
}
