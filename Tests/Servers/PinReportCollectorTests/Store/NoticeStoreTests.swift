import GRDB
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

/// The changes of incidents that wait for the webhook, with each engine.
@Suite("Notices in report stores")
struct NoticeStoreTests {
    private let sample: Sample
    private let limits = ReportCollectorLimits()

    init() throws { sample = try Sample.shared.get() }

    private func time(_ seconds: Int64) -> Timestamp { Sample.time.advanced(bySeconds: seconds) }

    /// Stores a report of a failure at its arrival. Reports of different hosts belong to different incidents.
    private func add(
        _ number: Int, host: String = Sample.host, at seconds: Int64 = 0, to store: any ReportStore
    ) async throws {
        _ = try await store.add(
            sample.incoming(number, id: "\(host) \(number)", at: seconds, host: host) {
                $0["date-time"] = time(seconds).description
            })
    }

    @Test(arguments: StoreEngine.available)
    func aNoticeIsDueAgainAfterTheLease(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            try await add(1, to: store)
            try await add(2, at: 5, to: store)
            #expect(try await store.totals(at: Sample.time).notices == 1)
            let first = try #require(try await store.claimNotices(at: time(6)).first)
            #expect(first.change == .began && first.time == Sample.time && first.failures == 0)
            #expect(first.incident.count == 2 && first.incident.key.host == Sample.host)
            #expect(first.id == "\(first.incident.id)-began-\(Sample.time.secondsSince1970)")
            // The collector with the claim ends. No other one has the notice before the lease ends.
            #expect(try await store.claimNotices(at: time(6)).isEmpty)
            #expect(try await store.claimNotices(at: time(5 + WebhookNotice.lease)).isEmpty)
            let second = try await store.claimNotices(at: time(6 + WebhookNotice.lease))
            #expect(second.map(\.id) == [first.id])
            try await store.settle(first, .ended)
            #expect(try await store.totals(at: Sample.time).notices == 0)
            #expect(try await store.claimNotices(at: time(86_400)).isEmpty)
            // Another report of the same incident is not a change.
            try await add(3, at: 10, to: store)
            #expect(try await store.claimNotices(at: time(86_400)).isEmpty)
        }
    }

    @Test(arguments: StoreEngine.available)
    func aFailedAttemptIsRepeatedAtItsTime(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            try await add(1, to: store)
            let first = try #require(try await store.claimNotices(at: time(0)).first)
            try await store.settle(first, .retried(at: time(900)))
            #expect(try await store.claimNotices(at: time(899)).isEmpty)
            let second = try #require(try await store.claimNotices(at: time(900)).first)
            #expect(second.failures == 1 && second.id == first.id)
            // A released claim does not count.
            try await store.settle(second, .released)
            #expect(try await store.claimNotices(at: time(900)).map(\.failures) == [1])
            // The clock was wrong by a year, and is set back.
            try await store.settle(second, .retried(at: time(365 * 86_400)))
            #expect(try await store.claimNotices(at: time(901)).map(\.failures) == [2])
        }
    }

    /// The incident comes back while the notice of its beginning is being delivered. The end of this delivery must not
    /// remove the later notice.
    @Test(arguments: StoreEngine.available)
    func aLaterChangeReplacesTheNotice(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            try await add(1, to: store)
            let began = try #require(try await store.claimNotices(at: time(1)).first)
            // People do not need a message about what they did, and do not take one back.
            #expect(try await store.change(began.incident.id, to: .acknowledged, by: "ana", at: time(2)))
            #expect(try await store.change(began.incident.id, to: .resolved, by: "ana", at: time(3)))
            #expect(try await store.totals(at: Sample.time).notices == 1)
            try await add(2, at: 10, to: store)
            for settlement in [WebhookNotice.Settlement.ended, .retried(at: time(500)), .released] {
                try await store.settle(began, settlement)
            }
            let back = try #require(try await store.claimNotices(at: time(11)).first)
            #expect(back.change == .cameBack && back.time == time(10) && back.failures == 0)
            #expect(back.incident.state == .cameBack && back.incident.id == began.incident.id)
            #expect(back.id != began.id)
            try await store.settle(back, .ended)
            #expect(try await store.totals(at: Sample.time).notices == 0)
        }
    }

    /// A database was used without a webhook. Only changes after the first start with one are told about.
    @Test(arguments: StoreEngine.available)
    func changesBeforeTheFirstStartAreNotToldAbout(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            try await add(1, host: "old.example", to: store)
            try await store.beginNotices(at: time(100))
            #expect(try await store.claimNotices(at: time(100)).isEmpty)
            try await add(1, host: "new.example", at: 100, to: store)
            // A restart keeps what waits.
            try await store.beginNotices(at: time(500))
            #expect(try await store.claimNotices(at: time(500)).map(\.incident.key.host) == ["new.example"])
        }
    }

    @Test(arguments: StoreEngine.available)
    func incidentsBoundTheNotices(_ engine: StoreEngine) async throws {
        var limits = limits
        limits.incidents = 20
        try await engine.with { [limits] store async throws in
            for start in stride(from: 0, to: 90, by: 30) {
                let batch = try (start..<start + 30).map {
                    try sample.incoming($0, at: Int64($0), host: "h\($0).example")
                }
                _ = try await store.add(batch, limits: limits)
            }
            #expect(try await store.incidents(IncidentQuery(limit: 200)).incidents.count == 20)
            #expect(try await store.totals(at: Sample.time).notices == 20)
        }
    }

    @Test(arguments: StoreEngine.available)
    func aNoticeEndsAfterAWeek(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            try await add(1, to: store)
            try await store.expire(at: time(WebhookNotice.lifetime), limits: limits)
            #expect(try await store.totals(at: Sample.time).notices == 1)
            try await store.expire(at: time(WebhookNotice.lifetime + 1), limits: limits)
            #expect(try await store.totals(at: Sample.time).notices == 0)
            #expect(try await store.incidents(IncidentQuery()).incidents.count == 1)
        }
    }

    /// The attack: forged incidents have more reports than a real one, and new ones begin before each claim. Half of a
    /// claim has the earliest changes, so that the real one is told about first.
    @Test(arguments: StoreEngine.available)
    func forgedIncidentsDoNotSuppressAnother(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            try await add(1, host: "real.example", to: store)
            for host in 0..<20 {
                for number in 0..<2 { try await add(number, host: "f\(host).example", at: 1, to: store) }
            }
            let claimed = try await store.claimNotices(at: time(1))
            #expect((WebhookNotice.claimLimit / 2...WebhookNotice.claimLimit).contains(claimed.count))
            #expect(claimed.first?.incident.key.host == "real.example")
            // Ordered by reports alone, the real one is not among those of a claim.
            let byReports = try await store.incidents(IncidentQuery(limit: 200)).incidents
                .sorted { ($1.count, $0.id) < ($0.count, $1.id) }.prefix(WebhookNotice.claimLimit)
            #expect(!byReports.contains { $0.key.host == "real.example" })
        }
    }

    /// Earlier changes must not delay an incident with many reports: the other half of a claim has the most reports.
    @Test(arguments: StoreEngine.available)
    func manyReportsPrecedeAFlood(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            for host in 0..<20 { try await add(1, host: "f\(host).example", to: store) }
            for number in 0..<3 { try await add(number, host: "real.example", at: 60, to: store) }
            let claimed = try await store.claimNotices(at: time(60))
            #expect(claimed.contains { $0.incident.key.host == "real.example" })
            #expect((WebhookNotice.claimLimit / 2...WebhookNotice.claimLimit).contains(claimed.count))
        }
    }

    /// Claims at the same time, by several collectors with PostgreSQL. Each notice is in one of them.
    @Test(arguments: StoreEngine.available)
    func concurrentClaimsAreDisjoint(_ engine: StoreEngine) async throws {
        let database = try await StoreDatabase(engine)
        let first = try await database.open()
        let second = engine == .postgreSQL ? try await database.open() : first
        for host in 0..<24 { try await add(1, host: "h\(host).example", to: first) }
        var claimed: [WebhookNotice] = []
        // A collector that finds its choice locked gets nothing, and claims again.
        for _ in 0..<24 where claimed.count < 24 {
            claimed += try await withThrowingTaskGroup(of: [WebhookNotice].self) { group in
                for store in [first, second, first, second] {
                    group.addTask { try await store.claimNotices(at: Sample.time) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
        #expect(claimed.count == 24)
        #expect(Set(claimed.map(\.id)).count == 24)
        await first.close()
        if engine == .postgreSQL { await second.close() }
    }

    @Test(arguments: StoreEngine.available)
    func noticesSurviveAKilledProcess(_ engine: StoreEngine) async throws {
        let database = try await StoreDatabase(engine)
        let killed = try await database.open()
        try await killed.beginNotices(at: Sample.time)
        try await add(1, host: "a.example", to: killed)
        try await add(1, host: "b.example", to: killed)
        let claimed = try await killed.claimNotices(at: Sample.time)
        #expect(claimed.count == 2)
        let left = try database.afterKill()
        let store = try await left.open()
        try await store.beginNotices(at: time(10))
        #expect(try await store.claimNotices(at: time(10)).isEmpty)
        let again = try await store.claimNotices(at: time(WebhookNotice.lease))
        #expect(again.map(\.id) == claimed.map(\.id))
        await store.close()
        await killed.close()
    }

    /// A database of an earlier version has incidents without notices.
    @Test func earlierIncidentsOfSQLiteAreNotToldAbout() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/reports.sqlite"
        let queue = try DatabaseQueue(path: path)
        try SQLiteReportSchema.migrator.migrate(queue, upTo: "4 identities")
        try await queue.write { database in
            try database.execute(
                sql: """
                    PRAGMA application_id = \(SQLiteReportStore.applicationID);
                    INSERT INTO incident (key, app, host, state, changedAt, firstSeen, lastSeen, count, clients)
                        VALUES (x'00', 'a', 'old.example', 'new', 1, 1, 1, 1, x'00');
                    """)
        }
        try queue.close()
        let store = try SQLiteReportStore(path: path)
        #expect(try await store.totals(at: Sample.time).notices == 0)
        try await add(1, host: "new.example", to: store)
        #expect(try await store.claimNotices(at: Sample.time).map(\.incident.key.host) == ["new.example"])
        await store.close()
    }
}
