import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Synchronization
import Testing

/// Tests the effect of OCSP answers, and of missing answers.
@Suite("OCSP revocation")
struct OCSPEvaluatorTests {
    let fixture: RevocationScene

    init() throws {
        fixture = try RevocationScene()
    }

    private func requester(_ change: (inout OCSPResponder) -> Void = { _ in }) -> ScriptedRequester {
        ScriptedRequester(fixture.responder(change), about: fixture.server)
    }

    private static let down = ScriptedRequester { _, _ in throw ScriptedRequester.Failure() }

    // MARK: - Answers

    @Test("a good answer accepts the verified path in both modes", arguments: OCSPOptions.Failure.allCases)
    func good(failure: OCSPOptions.Failure) async throws {
        let requester = requester()
        let verdict = try await fixture.verdict(fixture.evaluator(requester, failure))
        #expect(verdict.decision == .allow && verdict.finding.code == .validPath && verdict.notices.isEmpty)
        #expect(requester.urls == [RevocationScene.url])
    }

    @Test(
        "the status revoked or unknown refuses in both modes, because it is an answer",
        arguments: OCSPOptions.Failure.allCases)
    func bad(failure: OCSPOptions.Failure) async throws {
        let instant = fixture.now.advanced(bySeconds: -9)
        let revoked = try await fixture.verdict(
            fixture.evaluator(requester { $0.status = .revoked(instant) }, failure))
        expectOnly(.revoked, revoked)
        #expect(revoked.finding.facts.revokedAt == instant)
        #expect(revoked.finding.facts.subject == fixture.server.view.subject)
        #expect(revoked.systemFinding?.code == .validPath)
        #expect(revoked.description.contains("revoked at \(instant)"))
        let unknown = try await fixture.verdict(fixture.evaluator(requester { $0.status = .unknown }, failure))
        expectOnly(.revocationUnknown, unknown)
    }

    // MARK: - Missing answers

    private static let lacks: [(OCSPError.Code, @Sendable (RevocationScene) throws -> any OCSPRequester)] = [
        (.unreachable, { _ in down }),
        (.malformed, { _ in ScriptedRequester { _, _ in [] } }),
        (.tooLarge, { _ in ScriptedRequester { _, _ in [UInt8](repeating: 0, count: 1 << 17) } }),
        (.notSuccessful, { _ in ScriptedRequester { _, _ in OCSPResponder.refusal(3) } }),
        (.badSignature, { ScriptedRequester($0.responder { $0.breaksSignature = true }, about: $0.server) }),
        (.otherCertificate, { ScriptedRequester($0.responder(), about: $0.issuing) }),
        (
            .expired,
            { scene in
                ScriptedRequester(
                    scene.responder {
                        $0.thisUpdate = scene.now.advanced(bySeconds: -90_000)
                        $0.nextUpdate = scene.now.advanced(bySeconds: -1)
                    }, about: scene.server)
            }
        ),
        (
            .unauthorizedResponder,
            { scene in
                let stranger = try scene.scene.factory.authority("Stranger")
                return ScriptedRequester(scene.responder { $0.signer = stranger }, about: scene.server)
            }
        ),
    ]

    @Test("without an answer, hard fail refuses and soft fail accepts with a notice", arguments: 0..<lacks.count)
    func missingAnswer(index: Int) async throws {
        let (code, make) = Self.lacks[index]
        let hard = try await fixture.verdict(fixture.evaluator(try make(fixture), .hard))
        expectOnly(.revocationUnavailable, hard)
        #expect(hard.finding.reason.contains(code.rawValue), "\(hard.finding)")
        let soft = try await fixture.verdict(fixture.evaluator(try make(fixture), .soft))
        #expect(soft.decision == .allow && soft.finding.code == .validPath)
        #expect(soft.notices.map(\.code) == [.revocationUnavailable])
        #expect(soft.notices.first?.reason.contains(code.rawValue) == true)
    }

    @Test(
        "a certificate without a responder, or with one that is not reachable by plain HTTP",
        arguments: [
            [], ["https://ocsp.example.com/"], ["ldap://x/"], ["http://a b/"], ["http://\u{7}"],
            ["http://" + String(repeating: "a", count: 2_048)],
        ])
    func missingResponder(urls: [String]) async throws {
        let descriptions = urls.map {
            DERBytes.sequence([
                DERBytes.objectIdentifier("1.3.6.1.5.5.7.48.1"),
                DERBytes.context(6, constructed: false, Array($0.utf8)),
            ])
        }
        let fixture = try RevocationScene { options in
            options.extraExtensions =
                urls.isEmpty ? [] : [ExtraExtension("1.3.6.1.5.5.7.1.1", value: DERBytes.sequence(descriptions))]
        }
        let requester = ScriptedRequester(fixture.responder(), about: fixture.server)
        let hard = try await fixture.verdict(fixture.evaluator(requester, .hard))
        expectOnly(.revocationUnavailable, hard)
        #expect(hard.finding.reason.contains("noResponder"))
        #expect(try await fixture.verdict(fixture.evaluator(requester, .soft)).decision == .allow)
        #expect(requester.count == 0)
    }

    @Test("a responder that never answers causes a timeout", arguments: OCSPOptions.Failure.allCases)
    func timeout(failure: OCSPOptions.Failure) async throws {
        let silent = ScriptedRequester { _, _ in
            try await Wait.forever(.zero)
            throw CancellationError()
        }
        let evaluator = OCSPRevocationEvaluator(
            requester: silent, options: OCSPOptions(failure: failure, scope: .serverCertificate), wait: Wait.notAtAll)
        let verdict = try await fixture.verdict(evaluator)
        #expect(verdict.permitsConnection == (failure == .soft))
        let finding = try #require(failure == .hard ? verdict.finding : verdict.notices.first)
        #expect(finding.code == .revocationUnavailable && finding.reason.contains("timedOut"))
    }

    @Test("queries the second responder if the first one does not answer")
    func secondResponder() async throws {
        let fixture = try RevocationScene {
            $0.extraExtensions = [.ocspResponders("http://first.example/", "http://second.example/")]
        }
        let responder = fixture.responder()
        let server = fixture.server
        let requester = ScriptedRequester { _, url in
            guard url.contains("second") else { throw ScriptedRequester.Failure() }
            return try responder.response(about: server)
        }
        #expect(try await fixture.verdict(fixture.evaluator(requester)).decision == .allow)
        #expect(requester.urls == ["http://first.example/", "http://second.example/"])
    }

    /// Waits forever if the duration is the whole timeout, and returns immediately for a part of it.
    private static let partsOnly: @Sendable (Duration) async throws -> Void = { duration in
        if duration >= OCSPOptions().timeout { try await Wait.forever(duration) }
    }

    private func evaluator(_ requester: any OCSPRequester) -> OCSPRevocationEvaluator {
        OCSPRevocationEvaluator(
            requester: requester, options: OCSPOptions(scope: .serverCertificate), wait: Self.partsOnly)
    }

    @Test("a responder that does not answer uses only its part of the timeout", arguments: [0, 1, 2])
    func silentResponders(answering: Int) async throws {
        let urls = (0..<3).map { "http://responder-\($0).example/" }
        let fixture = try RevocationScene {
            $0.extraExtensions = [.ocspResponders(urls[0], urls[1], urls[2])]
        }
        let (responder, server) = (fixture.responder(), fixture.server)
        let requester = ScriptedRequester { _, url in
            if url != urls[answering] { try await Wait.forever(.zero) }
            return try responder.response(about: server)
        }
        #expect(try await fixture.verdict(evaluator(requester)).decision == .allow)
        #expect(requester.urls.prefix(answering + 1) == urls.prefix(answering + 1))
    }

    @Test("accepts the answer of a slow responder after the next one was queried")
    func slowResponder() async throws {
        let fixture = try RevocationScene {
            $0.extraExtensions = [.ocspResponders("http://first.example/", "http://second.example/")]
        }
        let (responder, server) = (fixture.responder(), fixture.server)
        let (failures, failed) = AsyncStream.makeStream(of: Void.self)
        let requester = ScriptedRequester { _, url in
            if url.contains("second") {
                failed.yield()
                throw ScriptedRequester.Failure()
            }
            for await _ in failures { break }
            return try responder.response(about: server)
        }
        #expect(try await fixture.verdict(evaluator(requester)).decision == .allow)
        #expect(requester.urls == ["http://first.example/", "http://second.example/"])
    }

    @Test("if every responder fails, each was queried once")
    func everyResponderFails() async throws {
        let urls = (0..<3).map { "http://responder-\($0).example/" }
        let fixture = try RevocationScene {
            $0.extraExtensions = [.ocspResponders(urls[0], urls[1], urls[2])]
        }
        let requester = ScriptedRequester { _, _ in throw ScriptedRequester.Failure() }
        expectOnly(.revocationUnavailable, try await fixture.verdict(evaluator(requester)))
        #expect(requester.urls.sorted() == urls)
    }

    @Test("must-staple turns soft fail into hard fail, with a notice")
    func mustStaple() async throws {
        let fixture = try RevocationScene {
            $0.extraExtensions = [.ocspResponders(RevocationScene.url), .mustStaple]
        }
        let refused = try await fixture.verdict(fixture.evaluator(Self.down, .soft))
        #expect(refused.decision == .block && refused.finding.code == .revocationUnavailable)
        #expect(refused.notices.map(\.code) == [.stapleNotVisible])
        let requester = ScriptedRequester(fixture.responder(), about: fixture.server)
        let accepted = try await fixture.verdict(fixture.evaluator(requester, .soft))
        #expect(accepted.decision == .allow)
        #expect(accepted.notices.map(\.code) == [.stapleNotVisible])
    }

    // MARK: - Checked certificates

    @Test("checks the whole path except the anchor; a revoked authority refuses")
    func wholePath() async throws {
        let leafResponder = fixture.responder()
        let (server, issuing, root, now) = (fixture.server, fixture.issuing, fixture.root, fixture.now)
        for isRevoked in [false, true] {
            let requester = ScriptedRequester { request, _ in
                guard request.firstRange(of: server.serial) == nil else {
                    return try leafResponder.response(about: server)
                }
                var responder = OCSPResponder(issuer: root, now: now)
                if isRevoked { responder.status = .revoked(now) }
                return try responder.response(about: issuing)
            }
            let verdict = try await fixture.verdict(fixture.evaluator(requester, .hard, .path))
            #expect(requester.count == 2)
            #expect(verdict.finding.code == (isRevoked ? .revoked : .validPath))
            if isRevoked { #expect(verdict.finding.facts.subject == issuing.view.subject) }
        }
    }

    @Test("of several problems, a revocation is reported first")
    func revocationFirst() async throws {
        let (server, issuing, root, now) = (fixture.server, fixture.issuing, fixture.root, fixture.now)
        let requester = ScriptedRequester { request, _ in
            guard request.firstRange(of: server.serial) == nil else { throw ScriptedRequester.Failure() }
            var responder = OCSPResponder(issuer: root, now: now)
            responder.status = .revoked(now)
            return try responder.response(about: issuing)
        }
        let verdict = try await fixture.verdict(fixture.evaluator(requester, .hard, .path))
        #expect(verdict.finding.code == .revoked)
        #expect(verdict.notices.map(\.code) == [.revocationUnavailable])
    }

    @Test("sends no request for a refused chain or for certificates outside of the verified path")
    func onlyTheVerifiedPath() async throws {
        let requester = requester()
        let stranger = try fixture.scene.factory.leaf(
            [TrustScene.host], signedBy: nil, .with { $0.extraExtensions = [.ocspResponders("http://evil.example/")] })
        expectOnly(.unknownIssuer, try await fixture.verdict(fixture.evaluator(requester), [stranger]))
        #expect(requester.count == 0)
        let evaluator = fixture.evaluator(requester)
        #expect(try await fixture.verdict(evaluator, fixture.presented + [stranger]).decision == .allow)
        #expect(requester.urls == [RevocationScene.url])
    }

    @Test("the request identifies the certificate by the issuer's hashes, with and without a nonce")
    func request() async throws {
        for hash in OCSPHash.allCases {
            let requester = requester()
            let nonce = [UInt8](repeating: 7, count: 32)
            let evaluator = fixture.evaluator(requester) {
                $0.hash = hash
                $0.nonce = { nonce }
            }
            #expect(try await fixture.verdict(evaluator).decision == .allow)
            let request = try #require(requester.last)
            #expect(OCSPResponder.nonce(in: request) == nonce)
            let issuing = fixture.issuing.view
            #expect(request.firstRange(of: hash.digest(issuing.der[issuing.parsed.outline.subject])) != nil)
            #expect(request.firstRange(of: hash.digest(issuing.rawKey)) != nil)
            #expect(request.firstRange(of: fixture.server.serial) != nil)
        }
        let plain = requester()
        _ = try await fixture.verdict(fixture.evaluator(plain))
        #expect(OCSPResponder.nonce(in: try #require(plain.last)) == nil)
    }

    @Test("refuses the answer to an older request if a nonce is required")
    func replayAgainstNonce() async throws {
        let old = try fixture.responder().response(about: fixture.server, nonce: Array(repeating: 1, count: 32))
        let evaluator = fixture.evaluator(ScriptedRequester { _, _ in old }) {
            $0.nonce = { Array(repeating: 2, count: 32) }
        }
        let verdict = try await fixture.verdict(evaluator)
        expectOnly(.revocationUnavailable, verdict)
        #expect(verdict.finding.reason.contains("nonceMismatch"))
    }

    // MARK: - The cache

    @Test("an answer is cached until it expires, and not used if the clock goes back before its start")
    func cache() async throws {
        let requester = requester()
        let evaluator = fixture.evaluator(requester)
        let end = try #require(fixture.responder().nextUpdate)
        for time in [fixture.now, end, fixture.now] {
            #expect(try await fixture.verdict(evaluator, at: time).decision == .allow)
        }
        #expect(requester.count == 1)
        let after = try await fixture.verdict(evaluator, at: end.advanced(bySeconds: 1))
        #expect(after.finding.code == .revocationUnavailable && requester.count == 2)
        let before = try await fixture.verdict(evaluator, at: fixture.now.advanced(bySeconds: -7_200))
        #expect(before.finding.code == .revocationUnavailable && requester.count == 3)
    }

    @Test("a revocation is cached like any other answer; an unknown status is requested again")
    func cachedRefusals() async throws {
        for (status, requests) in [(OCSPResponder.Status.revoked(fixture.now), 1), (.unknown, 2)] {
            let requester = requester { $0.status = status }
            let evaluator = fixture.evaluator(requester)
            for _ in 0..<2 { #expect(try await fixture.verdict(evaluator).decision == .block) }
            #expect(requester.count == requests)
        }
    }

    @Test("a replayed older good answer does not replace a known revocation, but a newer one does")
    func replayAgainstRevocation() async throws {
        let (server, now) = (fixture.server, fixture.now)
        func good(_ seconds: Int64) throws -> [UInt8] {
            try fixture.responder { $0.thisUpdate = now.advanced(bySeconds: seconds) }.response(about: server)
        }
        // A revocation without a next update is requested again immediately.
        let revoked = try fixture.responder {
            $0.status = .revoked(now)
            $0.thisUpdate = now.advanced(bySeconds: -10)
            $0.nextUpdate = nil
        }.response(about: server)
        let answers = Mutex([revoked, try good(-20), try good(-10), try good(-5)][...])
        let requester = ScriptedRequester { _, _ in answers.withLock { $0.removeFirst() } }
        let evaluator = fixture.evaluator(requester)
        for _ in 0..<3 { #expect(try await fixture.verdict(evaluator).finding.code == .revoked) }
        #expect(try await fixture.verdict(evaluator).decision == .allow)
        #expect(requester.count == 4)
    }

    @Test("the cache is limited, and distinguishes certificates and issuers")
    func bounds() throws {
        let cache = OCSPAnswerCache(capacity: 2)
        let answer = OCSPAnswer(status: .good, thisUpdate: fixture.now, until: fixture.now)
        let keys = [
            OCSPAnswerCache.Key(fixture.server.view, issuer: fixture.issuing.view),
            OCSPAnswerCache.Key(fixture.server.view, issuer: fixture.root.view),
            OCSPAnswerCache.Key(fixture.issuing.view, issuer: fixture.root.view),
        ]
        for key in keys { cache.store(answer, for: key) }
        #expect(keys.map { cache.answer(for: $0, at: fixture.now) != nil } == [false, true, true])
        let past = fixture.now.advanced(bySeconds: -1)
        cache.store(OCSPAnswer(status: .good, thisUpdate: past, until: past), for: keys[2])
        #expect(cache.answer(for: keys[2], at: fixture.now) == answer, "an older answer does not replace a newer one")
        let revoked = OCSPAnswer(status: .revoked(past), thisUpdate: past, until: fixture.now)
        cache.store(revoked, for: keys[2])
        #expect(cache.answer(for: keys[2], at: fixture.now) == revoked, "a revocation does")
    }

    @Test("must-staple in the certificate of an authority does not apply to the path")
    func mustStapleAuthority() async throws {
        let scene = fixture.scene
        let issuing = try scene.factory.intermediate(
            "Issuing", signedBy: fixture.root, .with { $0.extraExtensions = [.mustStaple] })
        let server = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
        let verdict = try await fixture.verdict(fixture.evaluator(Self.down, .soft, .path), [server, issuing])
        #expect(verdict.decision == .allow)
        #expect(Set(verdict.notices.map(\.code)) == [.revocationUnavailable])
    }

    // MARK: - Combinations

    @Test("after pins, checks the path that the pins accepted")
    func afterPins() async throws {
        // There are two valid paths. One is pinned, and the authority of the other is revoked.
        let pinnedRoot = try fixture.scene.factory.authority("Pinned root")
        let crossed = try fixture.scene.factory.intermediate(
            "Issuing", signedBy: pinnedRoot,
            .with {
                $0.key = fixture.issuing.key
                $0.extraExtensions = [.ocspResponders("http://crossed.example/")]
            })
        let requester = ScriptedRequester { _, _ in throw ScriptedRequester.Failure() }
        let pins = PublicKeyPinningEvaluator(pinnedKeyHashes: [Data(pinnedRoot.spkiDigest.bytes)])
        let composite = CompositeEvaluator.all([pins, fixture.evaluator(requester, .soft, .path)])
        let context = TrustContext.evaluators(
            [TrustScene.host: composite], anchors: fixture.scene.anchors([fixture.root, pinnedRoot]))
        let verdict = await context.judge(
            fixture.scene.chain([fixture.server, fixture.issuing, crossed]), for: try fixture.scene.subject(),
            at: fixture.now
        ).verdict()
        #expect(verdict.finding.code == .pinMatched)
        #expect(verdict.path?.certificates.last == pinnedRoot.view)
        #expect(Set(requester.urls) == [RevocationScene.url, "http://crossed.example/"])
    }

    @Test("in the context of a policy, the check runs after the pins, and not for a refused server")
    func policyContext() async throws {
        let requester = requester { $0.status = .revoked(fixture.now) }
        let evaluator = fixture.evaluator(requester)
        for (pin, code) in [(Pin(fixture.server), TrustFinding.Code.revoked), (Pin(fixture.root, .leaf), .pinMismatch)]
        {
            let context = TrustContext.policy(
                try fixture.scene.policy([pin]), anchors: fixture.scene.anchors([fixture.root])
            ).checkingRevocation(with: evaluator)
            let verdict = await context.judge(
                fixture.scene.chain(fixture.presented), for: try fixture.scene.subject(), at: fixture.now
            ).verdict()
            #expect(verdict.decision == .block && verdict.finding.code == code, "\(verdict)")
            let found = context.cachedVerdict(
                on: fixture.presented.map(\.certificateDER), for: try fixture.scene.subject(), at: fixture.now)
            #expect(found == nil, "a verdict that later checks can revoke is not cached")
        }
        #expect(requester.count == 1)
    }

    @Test("report-only applies only to the pins: a revoked server is refused")
    func reportOnly() async throws {
        let policy = try fixture.scene.policy([Pin(fixture.root, .leaf)]) { $0.enforcement = .reportOnly }
        let context = TrustContext.policy(policy, anchors: fixture.scene.anchors([fixture.root]))
            .checkingRevocation(with: fixture.evaluator(requester { $0.status = .revoked(fixture.now) }))
        let verdict = await context.judge(
            fixture.scene.chain(fixture.presented), for: try fixture.scene.subject(), at: fixture.now
        ).verdict()
        #expect(verdict.decision == .block && verdict.finding.code == .revoked)
    }

    @Test("without an issuer on the path, hard fail refuses; a trusted self-signed server is its own anchor")
    func withoutIssuer() async throws {
        let evaluator = fixture.evaluator(requester(), .hard)
        func judge(_ context: TrustContext, _ presented: [Identity]) async throws -> TrustVerdict {
            await context.checkingRevocation(with: evaluator).judge(
                fixture.scene.chain(presented), for: try fixture.scene.subject(), at: fixture.now
            ).verdict()
        }
        let keysOnly = TrustContext.pinnedKeysOnly(PinnedKeysOnly(certificates: [fixture.server.view]))
        #expect(try await judge(keysOnly, fixture.presented).finding.code == .revocationUnavailable)
        let any = TrustContext.dangerouslyAcceptAnyCertificate()
        #expect(try await judge(any, fixture.presented).finding.code == .revocationUnavailable)
        let selfSigned = try fixture.scene.factory.leaf([TrustScene.host], signedBy: nil)
        let anchored = TrustContext.system(anchors: fixture.scene.anchors([selfSigned]))
        #expect(try await judge(anchored, [selfSigned]).decision == .allow)
    }

    @Test("called directly, verifies the chain first with its own anchors and clock")
    func calledDirectly() async throws {
        let evaluator = OCSPRevocationEvaluator(
            requester: requester { $0.status = .revoked(fixture.now) }, options: OCSPOptions(scope: .serverCertificate),
            anchors: fixture.scene.anchors([fixture.root]), clock: .fixed(fixture.now), wait: Wait.forever)
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
