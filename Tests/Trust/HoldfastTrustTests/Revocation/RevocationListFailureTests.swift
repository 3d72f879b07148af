import HoldfastTestSupport
@testable import HoldfastTrust
import Synchronization
import Testing

/// Tests that a list that could not be fetched or used is not fetched and read again for a limited time, and that this
/// never replaces the check of other certificates.
@Suite("Failures of revocation lists") struct RevocationListFailureTests {
    private static let url = RevocationEvaluatorTests.url
    private static let interval = RevocationOptions().listFailureInterval.components.seconds

    let fixture: RevocationScene

    init() throws {
        fixture = try RevocationScene { $0.extraExtensions = [.distributionPoints(Self.url)] }
    }

    private func verdict(
        _ evaluator: RevocationEvaluator, after seconds: Int64, _ chain: [Identity]? = nil
    ) async throws -> TrustVerdict {
        try await fixture.verdict(evaluator, chain, at: fixture.now.advanced(bySeconds: seconds))
    }

    @Test("an attacker on the network path answers each request with a large forged list: it is read once")
    func forgedList() async throws {
        let serials = (0..<20_000).map { number in
            RevocationListDraft.Entry(serial: [0x01, UInt8(number >> 8), UInt8(number & 0xFF)])
        }
        let forged = try fixture.list {
            $0.entries = serials
            $0.breaksSignature = true
        }
        for failure in OCSPOptions.Failure.allCases {
            let lists = ScriptedLists([Self.url: forged])
            let evaluator = fixture.evaluator(lists: lists, failure)
            for second in [0, 1, Self.interval - 1] {
                let verdict = try await verdict(evaluator, after: second)
                #expect(verdict.permitsConnection == (failure == .soft))
                let finding = try #require(failure == .soft ? verdict.notices.first : verdict.finding)
                #expect(finding.code == .revocationUnavailable && finding.reason.contains("(badSignature)"))
                #expect(lists.urls.count == 1, "the list is fetched and read once")
            }
            // After the time, the genuine list is fetched.
            lists.answers = [Self.url: try fixture.list(revoking: [fixture.server])]
            expectOnly(.revoked, try await verdict(evaluator, after: Self.interval))
            #expect(lists.urls.count == 2)
            // Without the limit, each connection costs the attacker's list.
            let unlimited = ScriptedLists([Self.url: forged])
            let careless = fixture.evaluator(lists: unlimited, failure) { $0.listFailureInterval = .zero }
            for _ in 0..<3 { _ = try await verdict(careless, after: 0) }
            #expect(unlimited.urls.count == 3)
        }
    }

    @Test(
        "each kind of failure is remembered, with the time of the next attempt",
        arguments: 0..<RevocationEvaluatorTests.lacks.count)
    func kinds(index: Int) async throws {
        let (code, finding, make) = RevocationEvaluatorTests.lacks[index]
        let bytes = try make(fixture)
        // The list for some reasons is usable and cached, although it is not sufficient.
        let isCached = try code == "incomplete" && !RevocationList(der: try #require(bytes)).isDelta
        let lists = ScriptedLists(bytes.map { [Self.url: $0] } ?? [:])
        let evaluator = fixture.evaluator(lists: lists) { $0.maximumListSize = 4_096 }
        for (second, requests) in [(0, 1), (Self.interval - 1, 1), (Self.interval, isCached ? 1 : 2)] {
            let verdict = try await verdict(evaluator, after: second)
            if code == "notYetValid", second == Self.interval {
                // The list became valid meanwhile, and only the new attempt finds this out.
                #expect(verdict.decision == .allow && lists.urls.count == requests)
                continue
            }
            expectOnly(finding, verdict)
            #expect(verdict.finding.reason.contains("(\(code))"), "\(verdict.finding)")
            let next = "the next attempt is at \(fixture.now.advanced(bySeconds: Self.interval))"
            #expect(verdict.finding.reason.contains(next) == (!isCached && second == Self.interval - 1))
            #expect(lists.urls.count == requests)
        }
    }

    @Test("a cached list applies while its refresh fails, and the refresh is tried again after the time")
    func refresh() async throws {
        let lists = ScriptedLists([Self.url: try fixture.list()])
        let evaluator = fixture.evaluator(lists: lists) { $0.listRefreshInterval = .seconds(60) }
        #expect(try await verdict(evaluator, after: 0).decision == .allow)
        lists.answers = [:]
        for (second, requests) in [(60, 2), (61, 2), (60 + Self.interval, 3)] {
            #expect(try await verdict(evaluator, after: second).decision == .allow)
            #expect(lists.urls.count == requests)
        }
    }

    @Test("a server whose certificate names another authority's list does not prevent that authority's check")
    func anotherAuthority() async throws {
        let other = try fixture.scene.factory.intermediate("Other", signedBy: fixture.root)
        let attacker = try fixture.scene.factory.leaf(
            [TrustScene.host], signedBy: other, .with { $0.extraExtensions = [.distributionPoints(Self.url)] })
        let lists = ScriptedLists([Self.url: try fixture.list(revoking: [fixture.server])])
        let evaluator = fixture.evaluator(lists: lists, .soft)
        let first = try await verdict(evaluator, after: 0, [attacker, other])
        #expect(first.notices.first?.reason.contains("(outOfScope)") == true)
        // If only the URL were remembered, soft fail would accept the revoked server.
        expectOnly(.revoked, try await verdict(evaluator, after: 1))
    }

    @Test("a server that leaves out the signer of the list does not prevent the check of a server that presents it")
    func missingSigner() async throws {
        // A key of the authority only for lists. The list names no key identifier.
        let signer = try fixture.scene.factory.leaf(
            [], signedBy: fixture.issuing,
            .with {
                $0.commonName = "Issuing"
                $0.keyUsage = [.crlSign]
            })
        let lists = ScriptedLists([Self.url: try fixture.list(by: signer, revoking: [fixture.server])])
        let evaluator = fixture.evaluator(lists: lists, .soft)
        let first = try await verdict(evaluator, after: 0)
        #expect(first.permitsConnection && first.notices.map(\.code) == [.revocationUnavailable])
        expectOnly(.revoked, try await verdict(evaluator, after: 1, fixture.presented + [signer]))
        #expect(lists.urls.count == 2)
    }

    @Test("a cancelled fetch is not remembered: it says nothing about the server of the list")
    func cancelled() async throws {
        let genuine = try fixture.list()
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let requests = Mutex(0)
        let lists = ScriptedLists { _, _ in
            let number = requests.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { return genuine }
            arrived.yield()
            try await Wait.forever(.zero)
            throw CancellationError()
        }
        let waits = Mutex(0)
        let evaluator = fixture.evaluator(
            lists: lists,
            wait: { duration in
                let number = waits.withLock { count in
                    count += 1
                    return count
                }
                // The timeout of the first check expires as soon as the request arrived.
                guard number == 1 else { return try await Wait.forever(duration) }
                for await _ in arrivals { break }
            })
        let late = try await verdict(evaluator, after: 0)
        expectOnly(.revocationUnavailable, late)
        #expect(late.finding.reason.contains("(timedOut)"))
        #expect(try await verdict(evaluator, after: 0).decision == .allow)
    }

    @Test("the memory is limited in number and time, and a clock that went back empties it")
    func limits() throws {
        let now = fixture.now
        let memory = RevocationListFailures(lifetime: 30, capacity: 2)
        let link = try #require(try checkedLink())
        func use(_ url: String) -> RevocationListFailures.Use { RevocationListFailures.Use(link, url) }
        func isKnown(_ url: String, _ seconds: Int64 = 0) -> Bool {
            memory.failure(of: use(url), at: now.advanced(bySeconds: seconds)) != nil
        }
        let error = RevocationListError(.unreachable, String(repeating: "x", count: 100_000))
        for url in ["a", "b", "c"] { memory.remember(error, fetching: url, at: now) }
        #expect(["a", "b", "c"].map { isKnown($0) } == [false, true, true])
        #expect([-1, 0, 29, 30].map { isKnown("c", $0) } == [false, true, true, false])
        #expect((memory.failure(of: use("c"), at: now)?.reason.count ?? .max) < 1_000)
        // The other kind has its own limit, so it cannot evict failures of this kind.
        for url in ["d", "e", "f"] { memory.remember(error, of: use(url), at: now) }
        #expect(["b", "c", "d", "e", "f"].map { isKnown($0) } == [true, true, false, true, true])
        // A new failure extends the time and moves to the end of the order.
        memory.remember(error, fetching: "b", at: now.advanced(bySeconds: 10))
        memory.remember(error, fetching: "g", at: now)
        #expect(["b", "c"].map { isKnown($0, 39) } == [true, false])
        #expect(isKnown("b", 10) && !isKnown("c", 10))
        let none = RevocationListFailures(lifetime: -1)
        none.remember(error, fetching: "a", at: now)
        #expect(none.failure(of: use("a"), at: now) == nil)
    }

    private func checkedLink() throws -> RevocationLink? {
        let verdict = try fixture.scene.system(fixture.presented, anchors: [fixture.root])
        return RevocationLink.all(of: verdict, .serverCertificate).first
    }
}
