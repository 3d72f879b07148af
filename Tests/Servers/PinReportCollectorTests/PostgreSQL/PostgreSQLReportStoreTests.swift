#if PostgreSQL

import HoldfastTrust
import PinReports
import PostgreSQLClient
import Testing

@testable import PinReportCollector

/// What several collectors share, and what a failure of the database leaves.
@Suite(
    "PostgreSQL report store", .enabled(if: StoreEngine.isPostgreSQLInstalled, StoreEngine.skipped),
    .timeLimit(.minutes(2)))
struct PostgreSQLReportStoreTests {
    private let sample: Sample
    private let limits = ReportCollectorLimits()

    init() throws { sample = try Sample.shared.get() }

    /// Every report reaches both collectors, as after a failed load balancer. Each counts once.
    @Test func twoCollectorsCountEachReportOnce() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        let stores = [try await PostgreSQLServer.store(url), try await PostgreSQLServer.store(url)]
        let reports = try (0..<240).map { try sample.incoming($0, id: "\($0)", host: "h\($0 % 7).example") }
        let outcomes = try await withThrowingTaskGroup(of: [ReportOutcome].self) { group in
            for (number, store) in stores.enumerated() {
                for start in stride(from: 0, to: 240, by: 40) {
                    // The collectors get the reports of a batch in different orders.
                    let batch = Array(reports[start..<start + 40])
                    group.addTask {
                        try await store.add(number == 0 ? batch : batch.reversed(), limits: ReportCollectorLimits())
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        var stored: Set<Int64> = []
        var repeated: Set<Int64> = []
        for outcome in outcomes {
            switch outcome {
            case .stored(let id): #expect(stored.insert(id).inserted == true)
            case .repeated(let id): #expect(repeated.insert(id).inserted == true)
            case .conflicting: Issue.record("a report conflicts with itself")
            }
        }
        #expect(stored.count == 240)
        #expect(repeated == stored)
        let totals = try await stores[0].totals(at: Sample.time)
        #expect(totals.reports == 240)
        let incidents = try await stores[1].incidents(IncidentQuery()).incidents
        #expect(incidents.count == 7)
        #expect(incidents.map(\.count).reduce(0, +) == 240)
        for store in stores { await store.close() }
    }

    /// The server ends the session while the batch waits for a lock, after it has claimed its identities.
    @Test func aKilledTransactionIsRepeated() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        let store = try await PostgreSQLServer.store(url)
        try await PostgreSQLServer.with(url) { client async throws in
            let locked = AsyncStream.makeStream(of: Void.self)
            let release = Flag()
            async let holder: Void = Self.hold("report_total", at: url, locked.continuation, until: release)
            for await _ in locked.stream { break }
            let report = try sample.incoming(1, id: "A")
            async let outcome = store.add([report], limits: limits)
            let waiting =
                "SELECT pid::bigint FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
                + "AND datname = current_database() LIMIT 1"
            var killed: Int64?
            while killed == nil { killed = try await client.number(waiting) }
            let pid = try #require(killed)
            #expect(try await client.number("SELECT pg_terminate_backend(\(pid)::int)::int::bigint") == 1)
            release.set()
            try await holder
            #expect(try await outcome.count == 1)
            #expect(try await store.ids().count == 1)
            #expect(try await store.onlyIncident().summary.count == 1)
            #expect(try await client.number("SELECT sum(reports)::bigint FROM report_total") == 1)
            guard case .repeated = try await store.add(report) else {
                Issue.record("the report was stored twice")
                return
            }
        }
        await store.close()
    }

    /// Locks a table until the flag is set.
    private static func hold(
        _ table: String, at url: String, _ locked: AsyncStream<Void>.Continuation, until release: Flag
    ) async throws {
        try await PostgreSQLServer.with(url) { client async throws in
            try await client.run(within: .seconds(60)) { connection throws(PostgreSQLError) in
                try connection.simple("BEGIN; LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE")
                locked.yield()
                // Blocks the client's own thread, not the cooperative pool.
                release.wait()
                try connection.simple("ROLLBACK")
            }
        }
    }

    /// All processes of the server end at once under load. Accepted reports are stored, and none counts twice.
    @Test func aCrashOfTheServerLosesNothing() async throws {
        let server = try await PostgreSQLServer.start()
        defer { server.stop() }
        let url = try await server.newDatabase()
        let store = try await PostgreSQLServer.store(url)
        let reports = try (0..<60).map { try sample.incoming($0, id: "\($0)") }
        var accepted: Set<Int64> = []
        func add(_ range: Range<Int>) async -> Bool {
            guard let outcomes = try? await store.add(Array(reports[range]), limits: limits) else { return false }
            for case .stored(let id) in outcomes { accepted.insert(id) }
            return true
        }
        #expect(await add(0..<20))
        try await server.crash()
        #expect(await !add(20..<40))
        #expect(await !store.isReady())
        try await server.restart()
        // The senders repeat everything that was not accepted, and one batch that was.
        #expect(await add(20..<40))
        #expect(await add(40..<60))
        #expect(await add(0..<20))
        #expect(accepted.count == 60)
        #expect(Set(try await store.ids()) == accepted)
        #expect(try await store.onlyIncident().summary.count == 60)
        await store.close()
    }

    /// Retention drops the partition of a day whose last second has expired. Identities stay longer.
    @Test func expiredDayIsDropped() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        let store = try await PostgreSQLServer.store(url)
        var limits = limits
        limits.storedFor = .seconds(86_400)
        _ = try await store.add(sample.incoming(1, id: "A"), limits: limits)
        _ = try await store.add(sample.incoming(2, id: "B", at: 2 * 86_400), limits: limits)
        let (first, last) = (Sample.time.day, Sample.time.day + 2)
        try await PostgreSQLServer.with(url) { client async throws in
            func partitions(_ day: Int64) async throws -> Int64? {
                try await client.number(
                    "SELECT count(*) FROM pg_inherits WHERE inhrelid = to_regclass('report_\(day)')")
            }
            // The first day ends at midnight, and expires a day later.
            try await store.expire(at: Timestamp(secondsSince1970: last * 86_400 - 1), limits: limits)
            #expect(try await partitions(first) == 1)
            try await store.expire(at: Timestamp(secondsSince1970: last * 86_400), limits: limits)
            #expect(try await partitions(first) == 0)
            #expect(try await partitions(last) == 1)
            #expect(try await client.number("SELECT count(*) FROM report_identity") == 2)
        }
        #expect(try await store.ids() == [2])
        await store.close()
    }

    /// A report is found without a look at the days before it.
    @Test func olderDaysAreNotSearchedForAReport() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        let store = try await PostgreSQLServer.store(url)
        for day in 0..<6 { _ = try await store.add(sample.incoming(day, at: Int64(day) * 86_400)) }
        let ids = try await store.ids()
        try await PostgreSQLServer.with(url) { client async throws in
            func unsearchedDays(_ id: Int64) async throws -> Int {
                let sql = PostgreSQLReportStore.reportByNumber.replacing("$1", with: "\(id)::bigint")
                let plan = try await client.run { connection throws(PostgreSQLError) in
                    try connection.run(PostgreSQLStatement("", "EXPLAIN (ANALYZE, COSTS OFF) " + sql))
                        .map { row throws(PostgreSQLError) in try row.text(0) }
                }
                return plan.count { $0.contains("never executed") }
            }
            let (newest, oldest) = (try await unsearchedDays(ids[0]), try await unsearchedDays(ids[5]))
            #expect(newest == 5)
            #expect(oldest == 0)
        }
        #expect(try await store.report(ids[5])?.report.receivedAt == Sample.time)
        await store.close()
    }

    /// A partition that another collector has removed is made again.
    @Test func removedDayIsMadeAgain() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        let store = try await PostgreSQLServer.store(url)
        guard case .stored = try await store.add(sample.incoming(1)) else {
            Issue.record("not stored")
            return
        }
        try await PostgreSQLServer.execute("DROP TABLE report_\(Sample.time.day)", at: url)
        guard case .stored(let id) = try await store.add(sample.incoming(2)) else {
            Issue.record("not stored")
            return
        }
        #expect(try await store.ids() == [id])
        await store.close()
    }

    /// If another program prevents that reports are removed, reports are refused before the disk is full.
    @Test func fullDatabaseRefusesReports() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        let store = try await PostgreSQLServer.store(url)
        var limits = limits
        _ = try await store.add((0..<20).map { try sample.incoming($0) }, limits: limits)
        limits.storedReports = 10
        let locked = AsyncStream.makeStream(of: Void.self)
        let release = AsyncStream.makeStream(of: Void.self)
        async let holder: Void = Self.holdRemovals(at: url, locked.continuation, until: release.stream)
        for await _ in locked.stream { break }
        do throws(ReportCollectorError) {
            _ = try await store.add([sample.incomingOrFail(50)], limits: limits)
            Issue.record("stored")
        } catch {
            #expect(error.code == .databaseFull)
        }
        release.continuation.finish()
        try await holder
        #expect(try await store.add([sample.incoming(50)], limits: limits).count == 1)
        #expect(try await store.ids().count <= 10)
        await store.close()
    }

    private static func holdRemovals(
        at url: String, _ locked: AsyncStream<Void>.Continuation, until release: AsyncStream<Void>
    ) async throws {
        try await PostgreSQLServer.with(url) { client async throws in
            _ = try await client.number("SELECT 1::bigint FROM pg_advisory_lock(\(PostgreSQLMigration.lock))")
            locked.yield()
            for await _ in release {}
            _ = try await client.number("SELECT 1::bigint FROM pg_advisory_unlock(\(PostgreSQLMigration.lock))")
        }
    }
}

extension Sample {
    /// Returns a report to store, in a context where only a collector's error can be thrown.
    fileprivate func incomingOrFail(_ number: Int) throws(ReportCollectorError) -> IncomingReport {
        do {
            return try incoming(number)
        } catch {
            throw ReportCollectorError(.brokenOff, "the sample is invalid")
        }
    }
}

#endif
