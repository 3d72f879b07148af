import Foundation
import GRDB
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

/// What a SQLite file survives, and who can read it.
@Suite("SQLite report store")
struct SQLiteReportStoreTests {
    private let sample: Sample
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/reports.sqlite" }
    private var limits = ReportCollectorLimits()

    init() throws {
        sample = try Sample.shared.get()
        directory = try TemporaryDirectory()
    }

    @Test func acknowledgedReportsSurviveACrash() async throws {
        let store = try SQLiteReportStore(path: path)
        for number in 0..<5 { #expect(try await store.add(sample.incoming(number)) == .stored(Int64(number + 1))) }
        // The files as a killed process leaves them: not closed, without a checkpoint.
        let left = try TemporaryDirectory()
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + ending, toPath: left.path + "/reports.sqlite" + ending)
        }
        let again = try SQLiteReportStore(path: left.path + "/reports.sqlite")
        #expect(try await again.ids() == [5, 4, 3, 2, 1])
        #expect(try await again.report(3)?.body == sample.incoming(2).body)
        #expect(try await again.add(sample.incoming(2)) == .repeated(3))
        #expect(try await again.onlyIncident().summary.count == 5)
    }

    @Test func everyCommitIsOnTheDisk() async throws {
        let store = try SQLiteReportStore(path: path)
        let synchronous = try await store.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        let journal = try await store.write { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
        #expect(synchronous == 2)
        #expect(journal == "wal")
    }

    @Test func otherUsersCannotReadIt() async throws {
        let store = try SQLiteReportStore(path: path)
        #expect(try await store.add(sample.incoming(1)) == .stored(1))
        for ending in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + ending)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(ending)")
        }
    }

    @Test func fileDoesNotGrowAtTheLimit() async throws {
        var limits = limits
        let store = try SQLiteReportStore(path: path)
        _ = try await store.add(sample.incoming(0), limits: limits)
        limits.storedBytes = try await store.summary(ReportFilter()).bytes * 4
        for number in 1..<200 { _ = try await store.add(sample.incoming(number), limits: limits) }
        // Freed pages are reused.
        await store.close()
        let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64 ?? 0)
        #expect(size < limits.storedBytes * 2 + 200_000)
    }

    /// A limit of pages stands for a full disk. Nothing of the refused batch is stored or counted.
    @Test func aFullDiskRefusesTheWholeBatch() async throws {
        let store = try SQLiteReportStore(path: path)
        _ = try await store.add(sample.incoming(0, id: "0"))
        let pages = try #require(try await store.read { try Int.fetchOne($0, sql: "PRAGMA page_count") })
        try await store.write { try $0.execute(sql: "PRAGMA max_page_count = \(pages + 4)") }
        let batch = try (1..<100).map { try sample.incoming($0, id: "\($0)") }
        do throws(ReportCollectorError) {
            _ = try await store.add(batch, limits: limits)
            Issue.record("stored")
        } catch {
            #expect(error.code == .databaseWriteFailed)
        }
        #expect(try await store.ids() == [1])
        #expect(try await store.onlyIncident().summary.count == 1)
        // The senders repeat the reports when there is space.
        try await store.write { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
        #expect(try await store.add(batch, limits: limits).count == 99)
        #expect(try await store.onlyIncident().summary.count == 100)
    }

    /// A page of the desk takes long. Batches are committed meanwhile, and other pages are read.
    @Test(.timeLimit(.minutes(1))) func aSlowReaderDelaysNoBatch() async throws {
        let store = try SQLiteReportStore(path: path)
        _ = try await store.add(sample.incoming(0))
        let (begun, release) = (AsyncStream.makeStream(of: Void.self), Flag())
        let slow = Task {
            try await store.read { database in
                let before = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM report")
                begun.continuation.yield()
                // Blocks the reader's own thread, not the cooperative pool.
                release.wait()
                return (before, try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM report"))
            }
        }
        for await _ in begun.stream { break }
        for number in 1...5 { _ = try await store.add(sample.incoming(number)) }
        #expect(try await store.ids().count == 6)
        #expect(try await store.totals(at: Sample.time).lastHour == 6)
        #expect(await store.isReady())
        release.set()
        let (before, after) = try await slow.value
        // The slow page has one snapshot.
        #expect(before == 1 && after == 1)
        await store.close()
    }

    /// The pages use counters and indexes. No statement reads all reports, or all reports of an incident.
    @Test func pagesDoNotScanReports() async throws {
        let store = try SQLiteReportStore(path: path)
        let plans = try await store.read { database in
            try [
                "SELECT coalesce(sum(reports), 0) FROM reportPace WHERE slot >= 1",
                "SELECT id FROM report WHERE incidentID = 1 AND length(body) > 0 ORDER BY id DESC LIMIT 20",
                "SELECT min(receivedAt) FROM reportIdentity",
                "SELECT DISTINCT host FROM incident WHERE root = x'00' AND lastSeen >= 1 ORDER BY host LIMIT 32",
            ].map { try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + $0).map { $0["detail"] as String }.first }
        }
        #expect(plans[0]?.contains("USING INTEGER PRIMARY KEY") == true, "\(plans)")
        #expect(plans[1]?.contains("reportWithBody (incidentID=?)") == true, "\(plans)")
        #expect(plans[2]?.contains("reportIdentityByTime") == true, "\(plans)")
        #expect(plans[3]?.contains("incidentByRoot (root=? AND lastSeen>?)") == true, "\(plans)")
    }

    @Test func reportsExpireToTheSecond() async throws {
        var limits = limits
        limits.storedFor = .seconds(100)
        let store = try SQLiteReportStore(path: nil)
        _ = try await store.add(sample.incoming(1), limits: limits)
        _ = try await store.add(sample.incoming(2, at: 50), limits: limits)
        try await store.expire(at: Sample.time.advanced(bySeconds: 100), limits: limits)
        #expect(try await store.ids() == [2, 1])
        try await store.expire(at: Sample.time.advanced(bySeconds: 101), limits: limits)
        #expect(try await store.ids() == [2])
        _ = try await store.add(sample.incoming(3, at: 151), limits: limits)
        #expect(try await store.ids() == [3])
    }

    /// Version 1 had no incidents. The migration counts its reports.
    @Test func firstVersionIsMigrated() async throws {
        let queue = try DatabaseQueue(path: path)
        try SQLiteReportSchema.migrator.migrate(queue, upTo: "1 reports")
        let reports = try (0..<3).map { try sample.incoming($0, id: "\($0)", at: Int64($0)) }
        try await queue.write { database in
            try database.execute(sql: "PRAGMA application_id = \(SQLiteReportStore.applicationID)")
            for (number, report) in reports.enumerated() {
                try database.execute(
                    sql: """
                        INSERT INTO report (receivedAt, identity, digest, host, notedHost, result, size, details, body)
                        VALUES (?, ?, ?, ?, ?, 1, 100, ?, ?)
                        """,
                    arguments: [
                        report.receivedAt.secondsSince1970, "id:\(number)", Data(report.digest),
                        report.report.host.text, report.report.notedHost.text, report.details,
                        Data(report.body ?? []),
                    ])
            }
            // A damaged body is kept, but cannot be counted.
            try database.execute(sql: "UPDATE report SET body = X'00' WHERE id = 3")
        }
        try queue.close()
        let store = try SQLiteReportStore(path: path)
        #expect(try await store.ids() == [3, 2, 1])
        let incident = try await store.onlyIncident()
        #expect(incident.summary.count == 2)
        #expect(incident.summary.lastSeen == Sample.time.advanced(bySeconds: 1))
        #expect(incident.samples == [2, 1])
        #expect(try await store.add(sample.incoming(1, id: "1")) == .repeated(2))
        #expect(try await store.add(sample.incoming(9, id: "1")) == .conflicting)
        #expect(try await store.totals(at: Sample.time).identities == 3)
        #expect(try await store.totals(at: Sample.time).lastMinute == 3)
        #expect(try await store.add(sample.incoming(4)) == .stored(4))
        #expect(try await store.onlyIncident().summary.count == 3)
    }

    @Test func foreignDatabasesAreNotChanged() throws {
        let other = try DatabaseQueue(path: path)
        try other.write { try $0.execute(sql: "CREATE TABLE theirs (a)") }
        try other.close()
        #expect(throws: ReportCollectorError.self) { try SQLiteReportStore(path: path) }
        let garbage = try directory.file("garbage", String(repeating: "no database ", count: 500))
        #expect(throws: ReportCollectorError.self) { try SQLiteReportStore(path: garbage) }
        #expect(throws: ReportCollectorError.self) { try SQLiteReportStore(path: directory.path + "/no/such/folder") }
    }
}
