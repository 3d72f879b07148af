import HoldfastTestSupport
@testable import HoldfastTrust
import Synchronization
import Testing

/// Tests that a verified revocation stays in force until a newer verified answer reports the certificate as good.
@Suite("OCSP revocations in force")
struct OCSPRevocationInForceTests {
    let fixture: RevocationScene

    init() throws {
        fixture = try RevocationScene()
    }

    private func revoked(nextUpdate: Timestamp? = nil) throws -> [UInt8] {
        try fixture.responder {
            $0.status = .revoked(fixture.now)
            $0.nextUpdate = nextUpdate
        }.response(about: fixture.server)
    }

    @Test(
        "an unreachable responder does not remove the revocation, at any time",
        arguments: OCSPOptions.Failure.allCases, [nil, 86_400] as [Int64?])
    func cutOff(failure: OCSPOptions.Failure, lifetime: Int64?) async throws {
        let requester = ScriptedRequester.once(try revoked(nextUpdate: lifetime.map(fixture.now.advanced)))
        let evaluator = fixture.evaluator(requester, failure)
        expectOnly(.revoked, try await fixture.verdict(evaluator))
        // Immediately, after the answer has expired, and with a clock that went back before the start of the answer.
        for seconds in [0, 86_401, 80 * 86_400, -7_200] as [Int64] {
            let verdict = try await fixture.verdict(evaluator, at: fixture.now.advanced(bySeconds: seconds))
            expectOnly(.revoked, verdict)
            #expect(verdict.finding.facts.revokedAt == fixture.now)
        }
        #expect(requester.count > 1)
    }

    @Test("a missing or invalid answer does not remove the revocation")
    func otherFailures() async throws {
        for makesLate in [true, false] {
            let first = try revoked()
            let broken = try fixture.responder { $0.breaksSignature = true }.response(about: fixture.server)
            let isFirst = Mutex(true)
            let requester = ScriptedRequester { _, _ in
                if isFirst.withLock({ first in
                    defer { first = false }
                    return first
                }) {
                    return first
                }
                if makesLate { try await Wait.forever(.zero) }
                return broken
            }
            let isLate = Mutex(false)
            let evaluator = OCSPRevocationEvaluator(
                requester: requester, options: OCSPOptions(failure: .soft, scope: .serverCertificate)
            ) { duration in
                if !isLate.withLock({ $0 }) { try await Wait.forever(duration) }
            }
            expectOnly(.revoked, try await fixture.verdict(evaluator))
            isLate.withLock { $0 = makesLate }
            expectOnly(.revoked, try await fixture.verdict(evaluator))
        }
    }

    @Test("the status unknown does not remove the revocation")
    func unknownAfterwards() async throws {
        let answers = Mutex(
            [try revoked(), try fixture.responder { $0.status = .unknown }.response(about: fixture.server)][...])
        let requester = ScriptedRequester { _, _ in answers.withLock { $0.removeFirst() } }
        let evaluator = fixture.evaluator(requester, .soft)
        for _ in 0..<2 { expectOnly(.revoked, try await fixture.verdict(evaluator)) }
        #expect(requester.count == 2)
    }

    @Test("a newer good answer removes the revocation permanently")
    func newerGood() async throws {
        let good = try fixture.responder {
            $0.thisUpdate = fixture.now
            $0.nextUpdate = nil
        }.response(about: fixture.server)
        let answers = Mutex([try revoked(), good][...])
        let requester = ScriptedRequester { _, _ in
            guard let answer = answers.withLock({ $0.popFirst() }) else { throw ScriptedRequester.Failure() }
            return answer
        }
        let evaluator = fixture.evaluator(requester, .soft)
        expectOnly(.revoked, try await fixture.verdict(evaluator))
        #expect(try await fixture.verdict(evaluator).decision == .allow)
        // The good answer has expired, and the revocation before it has been removed.
        let later = try await fixture.verdict(evaluator, at: fixture.now.advanced(bySeconds: 90_000))
        #expect(later.decision == .allow && later.notices.map(\.code) == [.revocationUnavailable])
    }

    @Test("good answers do not evict a revocation, and capacity 0 for good answers still keeps revocations")
    func capacity() throws {
        for capacity in [0, 2] {
            let cache = OCSPAnswerCache(capacity: capacity)
            let revokedKey = OCSPAnswerCache.Key(fixture.server.view, issuer: fixture.issuing.view)
            let past = fixture.now.advanced(bySeconds: -100)
            let revocation = OCSPAnswer(status: .revoked(past), thisUpdate: past, until: past)
            cache.store(revocation, for: revokedKey)
            for _ in 0..<8 {
                let other = try fixture.scene.factory.authority("Other")
                let key = OCSPAnswerCache.Key(other.view, issuer: fixture.issuing.view)
                cache.store(OCSPAnswer(status: .good, thisUpdate: past, until: fixture.now), for: key)
                #expect((cache.answer(for: key, at: fixture.now) != nil) == (capacity > 0))
            }
            #expect(cache.answer(for: revokedKey, at: fixture.now) == nil, "it is requested again")
            #expect(cache.revocation(for: revokedKey) == revocation)
        }
    }

    @Test("a replayed older revocation does not make a good answer valid that lies between both")
    func olderRevocation() throws {
        let cache = OCSPAnswerCache(capacity: 2)
        let key = OCSPAnswerCache.Key(fixture.server.view, issuer: fixture.issuing.view)
        func time(_ seconds: Int64) -> Timestamp { fixture.now.advanced(bySeconds: seconds) }
        let newer = OCSPAnswer(status: .revoked(time(-10)), thisUpdate: time(-10), until: fixture.now)
        cache.store(newer, for: key)
        let older = OCSPAnswer(status: .revoked(time(-30)), thisUpdate: time(-30), until: fixture.now)
        #expect(cache.store(older, for: key) == newer)
        let between = OCSPAnswer(status: .good, thisUpdate: time(-20), until: time(100))
        #expect(cache.store(between, for: key) == newer)
        #expect(cache.revocation(for: key) == newer)
    }

    @Test("the number of revocations is limited, and the oldest is evicted")
    func bound() throws {
        let cache = OCSPAnswerCache(capacity: 0)
        let key = try Key.shared(.p256, "revocations")
        let authority = try fixture.scene.factory.authority("Flood", .init(key: key))
        let answer = OCSPAnswer(status: .revoked(fixture.now), thisUpdate: fixture.now, until: fixture.now)
        var keys: [OCSPAnswerCache.Key] = []
        for _ in 0...OCSPAnswerCache.revocations {
            let leaf = try fixture.scene.factory.leaf(["a.example.com"], signedBy: authority, .init(key: key))
            keys.append(OCSPAnswerCache.Key(leaf.view, issuer: authority.view))
        }
        for key in keys { cache.store(answer, for: key) }
        #expect(cache.revocation(for: keys[0]) == nil)
        #expect(keys.dropFirst().allSatisfy { cache.revocation(for: $0) != nil })
    }

    // MARK: - Age

    @Test("an answer is valid for at most 14 days, a revocation at any age")
    func maximumAge() async throws {
        func judge(age: Int64, _ status: OCSPResponder.Status = .good, limit: Duration? = nil) async throws
            -> TrustVerdict
        {
            let responder = fixture.responder {
                $0.status = status
                $0.thisUpdate = fixture.now.advanced(bySeconds: -age)
                $0.producedAt = $0.thisUpdate
                $0.nextUpdate = fixture.now.advanced(bySeconds: 9 * 365 * 86_400)
            }
            let requester = ScriptedRequester(responder, about: fixture.server)
            return try await fixture.verdict(
                fixture.evaluator(requester) { if let limit { $0.maximumAge = limit } })
        }
        let days: Int64 = 86_400
        #expect(try await judge(age: 14 * days).decision == .allow)
        for age in [14 * days + 1, 9 * 365 * days] {
            let verdict = try await judge(age: age)
            expectOnly(.revocationUnavailable, verdict)
            #expect(verdict.finding.reason.contains("expired"))
            expectOnly(.revoked, try await judge(age: age, .revoked(fixture.now.advanced(bySeconds: -age))))
        }
        #expect(try await judge(age: 30 * days, limit: .seconds(30 * days)).decision == .allow)
        expectOnly(.revocationUnavailable, try await judge(age: 3_601, limit: .seconds(3_600)))
        expectOnly(.revocationUnavailable, try await judge(age: 0, limit: .seconds(-1)))
        #expect(try await judge(age: 0, limit: .seconds(Int64.max)).decision == .allow)
    }

    @Test("a cached answer expires at the maximum age")
    func maximumAgeOfKeptAnswers() async throws {
        let responder = fixture.responder { $0.nextUpdate = fixture.now.advanced(bySeconds: 60 * 86_400) }
        let requester = ScriptedRequester.once(try responder.response(about: fixture.server))
        let evaluator = fixture.evaluator(requester)
        let last = responder.thisUpdate.advanced(bySeconds: 14 * 86_400)
        for time in [fixture.now, last] {
            #expect(try await fixture.verdict(evaluator, at: time).decision == .allow)
        }
        #expect(requester.count == 1)
        expectOnly(.revocationUnavailable, try await fixture.verdict(evaluator, at: last.advanced(bySeconds: 1)))
    }
}
