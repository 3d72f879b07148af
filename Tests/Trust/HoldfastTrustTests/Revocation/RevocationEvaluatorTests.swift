import HoldfastTestSupport
@testable import HoldfastTrust
import Synchronization
import Testing

/// Tests the order of OCSP and revocation lists, and the effect of lists that an attacker controls.
@Suite("Revocation by OCSP and lists")
struct RevocationEvaluatorTests {
    static let url = "http://lists.example/issuing.crl"
    static let rootURL = "http://lists.example/root.crl"

    let fixture: RevocationScene

    init() throws {
        // A server of an authority without OCSP responders.
        fixture = try RevocationScene { $0.extraExtensions = [.distributionPoints(Self.url)] }
    }

    // MARK: - Results

    @Test("a list accepts or refuses a server of an authority that has no OCSP responder")
    func listOnly() async throws {
        let good = ScriptedLists([Self.url: try fixture.list()])
        let evaluator = fixture.evaluator(lists: good) { $0.reportsGood = true }
        let accepted = try await fixture.verdict(evaluator)
        #expect(accepted.decision == .allow && accepted.finding.code == .validPath)
        #expect(accepted.notices.map(\.code) == [.notRevoked])
        #expect(accepted.notices.first?.reason.contains(Self.url) == true)
        #expect(good.urls == [Self.url])
        let time = fixture.now.advanced(bySeconds: -5_000)
        let bad = ScriptedLists([
            Self.url: try fixture.list { $0.entries = [.init(fixture.server, reason: 4, time: time)] }
        ])
        for failure in OCSPOptions.Failure.allCases {
            let refused = try await fixture.verdict(fixture.evaluator(lists: bad, failure))
            expectOnly(.revoked, refused)
            #expect(refused.finding.facts.revocationReason == .superseded)
            #expect(refused.finding.facts.revokedAt == time)
            #expect(refused.finding.facts.subject == fixture.server.view.subject)
        }
    }

    @Test("checks the whole path except the anchor")
    func wholePath() async throws {
        let scene = fixture.scene
        let issuing = try scene.factory.intermediate(
            "Issuing", signedBy: fixture.root, .with { $0.extraExtensions = [.distributionPoints(Self.rootURL)] })
        let server = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing, .with { $0.extraExtensions = [.distributionPoints(Self.url)] })
        for revoked in [[], [issuing]] {
            let requester = ScriptedLists([
                Self.url: try RevocationListDraft(issuer: issuing).der(),
                Self.rootURL: try fixture.list(by: fixture.root, revoking: revoked),
            ])
            let verdict = try await fixture.verdict(
                fixture.evaluator(lists: requester) { $0.scope = .path }, [server, issuing])
            #expect(verdict.finding.code == (revoked.isEmpty ? .validPath : .revoked))
            #expect(Set(requester.urls) == [Self.url, Self.rootURL])
        }
    }

    static let lacks: [(String, TrustFinding.Code, @Sendable (RevocationScene) throws -> [UInt8]?)] = [
        ("unreachable", .revocationUnavailable, { _ in nil }),
        ("malformed", .revocationUnavailable, { _ in [0x30, 0x00] }),
        ("tooLarge", .revocationUnavailable, { _ in [UInt8](repeating: 0, count: 5_000) }),
        ("badSignature", .revocationUnavailable, { try $0.list { $0.breaksSignature = true } }),
        (
            "notYetValid", .revocationUnavailable,
            { scene in
                try scene.list { $0.thisUpdate = scene.now.advanced(bySeconds: 301) }
            }
        ),
        (
            "expired", .revocationUnavailable,
            { scene in
                try scene.list { $0.nextUpdate = scene.now.advanced(bySeconds: -1) }
            }
        ),
        ("outOfScope", .revocationUnavailable, { try $0.list { $0.scope = .init("http://other.example/") } }),
        ("outOfScope", .revocationUnavailable, { try RevocationListDraft(issuer: $0.root).der() }),
        (
            "unsupported", .revocationUnavailable,
            {
                try $0.list { $0.extensions = [.init("1.2.3.4", isCritical: true)] }
            }
        ),
        ("incomplete", .revocationListIncomplete, { try $0.list { $0.baseNumber = 1 } }),
        (
            "incomplete", .revocationListIncomplete,
            {
                try $0.list {
                    $0.scope = .init()
                    $0.scope?.reasonFlags = [1]
                }
            }
        ),
    ]

    @Test("without a usable list, hard fail refuses and soft fail accepts with a notice", arguments: 0..<lacks.count)
    func missingList(index: Int) async throws {
        let (code, finding, make) = Self.lacks[index]
        let bytes = try make(fixture)
        let requester = ScriptedLists(bytes.map { [Self.url: $0] } ?? [:])
        let hard = try await fixture.verdict(fixture.evaluator(lists: requester, .hard) { $0.maximumListSize = 4_096 })
        expectOnly(finding, hard)
        #expect(hard.finding.reason.contains("(\(code))"), "\(hard.finding)")
        let soft = try await fixture.verdict(fixture.evaluator(lists: requester, .soft) { $0.maximumListSize = 4_096 })
        #expect(soft.decision == .allow && soft.notices.map(\.code) == [finding])
        #expect(requester.urls.count == 2, "an unusable list is not cached")
    }

    @Test("a certificate without distribution points that can be used", arguments: [[], ["ldap://lists.example/x"]])
    func noDistributionPoint(urls: [String]) async throws {
        let fixture = try RevocationScene {
            $0.extraExtensions = urls.map { .distributionPoints($0) }
        }
        let requester = ScriptedLists([:])
        let verdict = try await fixture.verdict(fixture.evaluator(lists: requester))
        expectOnly(.revocationUnavailable, verdict)
        #expect(verdict.finding.reason.contains("noDistributionPoint") && requester.urls.isEmpty)
    }

    // MARK: - OCSP first

    @Test("OCSP is asked first; without a usable answer, the list decides")
    func order() async throws {
        let fixture = try RevocationScene {
            $0.extraExtensions = [.ocspResponders(RevocationScene.url), .distributionPoints(Self.url)]
        }
        let list = try RevocationListDraft(issuer: fixture.issuing).der()
        let revoking = try RevocationListDraft(issuer: fixture.issuing, revoking: [fixture.server]).der()
        let good = ScriptedRequester(fixture.responder(), about: fixture.server)
        let down = ScriptedRequester { _, _ in throw ScriptedRequester.Failure() }
        let forged = ScriptedRequester(fixture.responder { $0.breaksSignature = true }, about: fixture.server)
        let unused = ScriptedLists([Self.url: list])
        #expect(try await fixture.verdict(fixture.evaluator(lists: unused, ocsp: good)).decision == .allow)
        #expect(unused.urls.isEmpty && good.count == 1)
        for failing in [down, forged] {
            let used = ScriptedLists([Self.url: list])
            #expect(try await fixture.verdict(fixture.evaluator(lists: used, ocsp: failing)).decision == .allow)
            #expect(used.urls == [Self.url])
            expectOnly(
                .revoked,
                try await fixture.verdict(
                    fixture.evaluator(lists: ScriptedLists([Self.url: revoking]), .soft, ocsp: failing)))
            expectOnly(
                .revocationUnavailable,
                try await fixture.verdict(fixture.evaluator(lists: ScriptedLists([:]), ocsp: failing)))
        }
        // "Revoked" and "unknown" are answers: the list is not asked.
        for (status, code) in [
            (OCSPResponder.Status.revoked(fixture.now), TrustFinding.Code.revoked), (.unknown, .revocationUnknown),
        ] {
            let lists = ScriptedLists([Self.url: list])
            let ocsp = ScriptedRequester(fixture.responder { $0.status = status }, about: fixture.server)
            expectOnly(code, try await fixture.verdict(fixture.evaluator(lists: lists, .soft, ocsp: ocsp)))
            #expect(lists.urls.isEmpty)
        }
    }

    @Test("if lists are preferred, OCSP is asked only without a usable list")
    func preferredLists() async throws {
        let fixture = try RevocationScene {
            $0.extraExtensions = [.ocspResponders(RevocationScene.url), .distributionPoints(Self.url)]
        }
        let responder = ScriptedRequester(fixture.responder(), about: fixture.server)
        let revoking = ScriptedLists([Self.url: try fixture.list(revoking: [fixture.server])])
        let preferred = fixture.evaluator(lists: revoking, ocsp: responder) { $0.prefersLists = true }
        expectOnly(.revoked, try await fixture.verdict(preferred))
        #expect(responder.count == 0 && revoking.urls == [Self.url])
        let without = fixture.evaluator(lists: ScriptedLists([:]), ocsp: responder) { $0.prefersLists = true }
        #expect(try await fixture.verdict(without).decision == .allow)
        #expect(responder.count == 1)
    }

    @Test("a responder that never answers leaves time for the list")
    func silentResponder() async throws {
        let fixture = try RevocationScene {
            $0.extraExtensions = [.ocspResponders(RevocationScene.url), .distributionPoints(Self.url)]
        }
        let silent = ScriptedRequester { _, _ in
            try await Wait.forever(.zero)
            throw CancellationError()
        }
        let lists = ScriptedLists([Self.url: try RevocationListDraft(issuer: fixture.issuing).der()])
        let evaluator = fixture.evaluator(
            lists: lists, ocsp: silent,
            wait: { duration in
                if duration >= RevocationOptions().timeout { try await Wait.forever(duration) }
            })
        #expect(try await fixture.verdict(evaluator).decision == .allow)
        #expect(silent.count == 1 && lists.urls == [Self.url])
    }

    @Test("a server that never sends its list causes a timeout")
    func timeout() async throws {
        let silent = ScriptedLists { _, _ in
            try await Wait.forever(.zero)
            throw CancellationError()
        }
        let verdict = try await fixture.verdict(fixture.evaluator(lists: silent, wait: Wait.notAtAll))
        expectOnly(.revocationUnavailable, verdict)
        #expect(verdict.finding.reason.contains("timedOut"))
    }

    @Test("the lists of two distribution points for different reasons count together")
    func severalPoints() async throws {
        let second = "http://lists.example/2.crl"
        let fixture = try RevocationScene { $0.extraExtensions = [.distributionPoints(Self.url, second)] }
        func part(_ url: String, _ flags: [Int]) throws -> [UInt8] {
            try fixture.list {
                $0.scope = .init(url)
                $0.scope?.reasonFlags = flags
            }
        }
        let lists = ScriptedLists([
            Self.url: try part(Self.url, [1, 2]), second: try part(second, [3, 4, 5, 6, 7, 8]),
        ])
        #expect(try await fixture.verdict(fixture.evaluator(lists: lists)).decision == .allow)
        #expect(lists.urls == [Self.url, second])
    }

    // MARK: - The cache

    @Test("a list is cached until its next update, and fetched again after the refresh interval")
    func cache() async throws {
        let lists = ScriptedLists([Self.url: try fixture.list()])
        let evaluator = fixture.evaluator(lists: lists) { $0.listRefreshInterval = .seconds(3_600) }
        for seconds: Int64 in [0, 3_599] {
            let time = fixture.now.advanced(bySeconds: seconds)
            #expect(try await fixture.verdict(evaluator, at: time).decision == .allow)
        }
        #expect(lists.urls.count == 1)
        // The refresh fails: the list applies until its next update.
        lists.answers = [:]
        let end = try #require(RevocationListDraft(issuer: fixture.issuing).nextUpdate)
        for (time, decision) in [
            (fixture.now.advanced(bySeconds: 3_600), TrustDecision.allow), (end, .allow),
            (end.advanced(bySeconds: 1), .block),
        ] {
            #expect(try await fixture.verdict(evaluator, at: time).decision == decision)
        }
        // One second after the failure at the end, no request is sent.
        #expect(lists.urls.count == 3)
    }

    @Test("another server of the same authority uses the cached list")
    func sharedList() async throws {
        let lists = ScriptedLists([Self.url: try fixture.list()])
        let evaluator = fixture.evaluator(lists: lists)
        let other = try fixture.scene.factory.leaf(
            [TrustScene.host], signedBy: fixture.issuing,
            .with { $0.extraExtensions = [.distributionPoints(Self.url)] })
        #expect(try await fixture.verdict(evaluator).decision == .allow)
        #expect(try await fixture.verdict(evaluator, [other, fixture.issuing]).decision == .allow)
        #expect(lists.urls.count == 1)
    }

    @Test("concurrent checks fetch a URL once")
    func singleFlight() async throws {
        let bytes = try fixture.list()
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let lists = ScriptedLists { _, _ in
            arrived.yield()
            for await _ in releases { break }
            return bytes
        }
        let evaluator = fixture.evaluator(lists: lists)
        let fixture = fixture
        let decisions = try await withThrowingTaskGroup(of: TrustDecision.self) { group in
            for _ in 0..<8 { group.addTask { try await fixture.verdict(evaluator).decision } }
            for await _ in arrivals { break }
            release.finish()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(decisions == Array(repeating: .allow, count: 8))
        #expect(lists.urls.count <= 8 && !lists.urls.isEmpty)
    }

    @Test("the cache is limited by number and by size")
    func cacheLimits() throws {
        func entry(_ seconds: Int64) throws -> RevocationListCache.Entry {
            let bytes = try fixture.list { $0.thisUpdate = fixture.now.advanced(bySeconds: seconds) }
            return RevocationListCache.Entry(
                list: try RevocationList(der: bytes), signer: fixture.issuing.view.spkiDigest, fetched: fixture.now)
        }
        func key(_ name: String) -> RevocationListCache.Key {
            RevocationListCache.Key(url: name, issuerKey: fixture.issuing.view.spkiDigest)
        }
        func kept(_ cache: RevocationListCache) -> [Bool] {
            ["a", "b", "c"].map { cache.entry(for: key($0), at: fixture.now) != nil }
        }
        let size = try entry(-10).list.der.count
        for cache in [
            RevocationListCache(capacity: 2, byteCapacity: 1 << 20),
            RevocationListCache(capacity: 9, byteCapacity: 2 * size + 20),
        ] {
            for name in ["a", "b", "c"] { cache.store(try entry(-10), for: key(name)) }
            #expect(kept(cache) == [false, true, true])
            #expect(cache.isReplay(try entry(-11).list, for: key("a")), "an evicted list is still remembered")
        }
        let small = RevocationListCache(capacity: 9, byteCapacity: size / 2)
        small.store(try entry(-10), for: key("a"))
        #expect(kept(small) == [false, false, false])
    }

    // MARK: - Attacks

    @Test("an attacker replays an older list without the revocation: the revocation stays in force")
    func replay() async throws {
        let (server, now) = (fixture.server, fixture.now)
        func aged(_ seconds: Int64, _ revoked: [Identity]) throws -> [UInt8] {
            try fixture.list(revoking: revoked) { $0.thisUpdate = now.advanced(bySeconds: seconds) }
        }
        let lists = ScriptedLists([Self.url: try aged(-10, [server])])
        let evaluator = fixture.evaluator(lists: lists, .soft) { $0.listRefreshInterval = .zero }
        #expect(try await fixture.verdict(evaluator).finding.code == .revoked)
        lists.answers = [Self.url: try aged(-20, [])]
        #expect(try await fixture.verdict(evaluator).finding.code == .revoked)
        lists.answers = [:]
        let end = now.advanced(bySeconds: 10 * 86_400)
        #expect(try await fixture.verdict(evaluator, at: end).finding.code == .revoked)
        // Without the earlier list, the same older list accepts the server.
        let fresh = fixture.evaluator(lists: ScriptedLists([Self.url: try aged(-20, [])]))
        #expect(try await fixture.verdict(fresh).decision == .allow)
    }

    @Test("an attacker replays an older list to a client that knows a newer one")
    func replayOfGoodList() async throws {
        let now = fixture.now
        let lists = ScriptedLists([Self.url: try fixture.list { $0.nextUpdate = now.advanced(bySeconds: 60) }])
        let evaluator = fixture.evaluator(lists: lists)
        #expect(try await fixture.verdict(evaluator).decision == .allow)
        lists.answers = [Self.url: try fixture.list { $0.thisUpdate = now.advanced(bySeconds: -7_200) }]
        let verdict = try await fixture.verdict(evaluator, at: now.advanced(bySeconds: 61))
        expectOnly(.revocationUnavailable, verdict)
        #expect(verdict.finding.reason.contains("replayed"))
    }

    @Test("a newer list without the certificate lifts a revocation, such as a hold")
    func liftedHold() async throws {
        let now = fixture.now
        let lists = ScriptedLists([Self.url: try fixture.list { $0.entries = [.init(fixture.server, reason: 6)] }])
        let evaluator = fixture.evaluator(lists: lists) { $0.listRefreshInterval = .zero }
        #expect(try await fixture.verdict(evaluator).finding.facts.revocationReason == .certificateHold)
        lists.answers = [
            Self.url: try fixture.list {
                $0.thisUpdate = now.advanced(bySeconds: 86_401)
                $0.nextUpdate = now.advanced(bySeconds: 90_000)
            }
        ]
        #expect(try await fixture.verdict(evaluator, at: now.advanced(bySeconds: 86_402)).decision == .allow)
    }

    @Test("another authority's certificate that names the same URL does not see the cached list")
    func sameURL() async throws {
        let lists = ScriptedLists([Self.url: try fixture.list()])
        let evaluator = fixture.evaluator(lists: lists)
        #expect(try await fixture.verdict(evaluator).decision == .allow)
        let other = try fixture.scene.factory.intermediate("Other", signedBy: fixture.root)
        let server = try fixture.scene.factory.leaf(
            [TrustScene.host], signedBy: other, .with { $0.extraExtensions = [.distributionPoints(Self.url)] })
        let verdict = try await fixture.verdict(evaluator, [server, other])
        expectOnly(.revocationUnavailable, verdict)
        #expect(verdict.finding.reason.contains("outOfScope"))
    }

    // MARK: - Short-lived certificates

    private func shortLived(
        _ from: Timestamp, seconds: Int64, _ more: ExtraExtension? = nil
    ) throws -> (TrustVerdict, Identity) {
        let server = try fixture.scene.factory.leaf(
            [TrustScene.host], signedBy: fixture.issuing,
            .with {
                $0.notBefore = from
                $0.notAfter = from.advanced(bySeconds: seconds)
                $0.extraExtensions = [.distributionPoints(Self.url)] + [more].compactMap(\.self)
            })
        let verdict = TrustEngine(anchors: fixture.scene.anchors([fixture.root])).evaluate(
            fixture.scene.chain([server, fixture.issuing]), for: try fixture.scene.subject(),
            at: from.advanced(bySeconds: 1))
        return (verdict, server)
    }

    @Test("short-lived certificates are exempt by the dates of the CA/Browser Forum")
    func shortLivedRule() throws {
        let day: Int64 = 86_400
        let cases: [(String, Int64, Bool)] = [
            ("2024-03-14T23:59:59Z", day, false), ("2024-03-15", 10 * day - 1, true),
            ("2024-03-15", 10 * day, false), ("2026-03-14T23:59:59Z", 10 * day - 1, true),
            ("2026-03-15", 7 * day - 1, true), ("2026-03-15", 7 * day, false),
        ]
        for (start, seconds, isExempt) in cases {
            let from = try #require(Timestamp(iso8601: start))
            let (_, server) = try shortLived(from, seconds: seconds)
            #expect((ShortLivedRule.reason(for: server.view) != nil) == isExempt, "\(start) \(seconds)")
        }
        #expect(ShortLivedRule.reason(for: fixture.issuing.view) == nil)
    }

    @Test("a short-lived certificate is accepted with a notice, unless the rule is off or a revocation is known")
    func exemption() async throws {
        let from = fixture.now.advanced(bySeconds: -1)
        #expect(from > (try #require(Timestamp(iso8601: "2024-03-15"))))
        let (verdict, server) = try shortLived(from, seconds: 6 * 86_400)
        #expect(verdict.permitsConnection)
        let lists = ScriptedLists([:])
        let exempt = await fixture.evaluator(lists: lists).checked(verdict)
        #expect(exempt.decision == .allow && exempt.notices.map(\.code) == [.revocationExempt])
        #expect(lists.urls.isEmpty)
        let strict = await fixture.evaluator(lists: lists) { $0.exemptsShortLived = false }.checked(verdict)
        expectOnly(.revocationUnavailable, strict)
        #expect(lists.urls == [Self.url])
        // A certificate that requires a stapled answer is not exempt.
        let (stapled, _) = try shortLived(from, seconds: 6 * 86_400, .mustStaple)
        #expect(await fixture.evaluator(lists: ScriptedLists([:]), .soft).checked(stapled).decision == .block)
        _ = server
    }

    // MARK: - Contexts

    @Test("in the context of a policy, the check runs after the pins")
    func policyContext() async throws {
        let lists = ScriptedLists([Self.url: try fixture.list(revoking: [fixture.server])])
        let evaluator = fixture.evaluator(lists: lists)
        for (pin, code) in [(Pin(fixture.server), TrustFinding.Code.revoked), (Pin(fixture.root, .leaf), .pinMismatch)]
        {
            let context = TrustContext.policy(
                try fixture.scene.policy([pin]), anchors: fixture.scene.anchors([fixture.root])
            ).checkingRevocation(with: evaluator)
            let verdict = await context.judge(
                fixture.scene.chain(fixture.presented), for: try fixture.scene.subject(), at: fixture.now
            ).verdict()
            #expect(verdict.decision == .block && verdict.finding.code == code, "\(verdict)")
        }
        #expect(lists.urls.count == 1)
    }

    @Test("called directly, verifies the chain first with its own anchors and clock")
    func calledDirectly() async throws {
        let evaluator = RevocationEvaluator(
            lists: ScriptedLists([Self.url: try fixture.list(revoking: [fixture.server])]), ocsp: nil,
            options: RevocationOptions(scope: .serverCertificate), anchors: fixture.scene.anchors([fixture.root]),
            clock: .fixed(fixture.now), wait: Wait.forever)
        for (chain, code) in [(fixture.presented, TrustFinding.Code.revoked), ([fixture.server], .unknownIssuer)] {
            do {
                try await evaluator.evaluate(ServerTrust(fixture.scene.chain(chain)), forHost: TrustScene.host)
                Issue.record("accepted")
            } catch let refusal as TrustRefusal {
                #expect(refusal.verdict.finding.code == code)
            }
        }
    }
}
