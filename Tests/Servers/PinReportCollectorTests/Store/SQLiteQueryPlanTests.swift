import GRDB
import HoldfastTrust
import PinReportDesk
import PinReports
import Synchronization
import Testing

@testable import PinReportCollector

/// The statements behind the desk's pages, with SQLite's plans for them. A page must not become slower with each
/// report.
@Suite("Query plans of the desk")
struct SQLiteQueryPlanTests {
    /// The statements that a connection has run, with their values.
    private final class Statements: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    /// Returns the lines of the plans that read every row of a table with a row for each report.
    private func scans(_ statements: [String], in store: SQLiteReportStore) async throws -> [String] {
        try await store.read { database in
            try statements.filter { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") }.flatMap { statement in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + statement).map { $0["detail"] as String }
                    .filter {
                        $0.hasPrefix("SCAN report ") || $0 == "SCAN report" || $0.hasPrefix("SCAN reportIdentity")
                    }
                    .map { "\($0): \(statement)" }
            }
        }
    }

    @Test func noPageReadsAllReports() async throws {
        let sample = try Sample.shared.get()
        // A database in memory has one connection, so that its statements are all that the store runs.
        let store = try SQLiteReportStore(path: nil)
        let batch = try (0..<90).map { try sample.incoming($0, at: Int64($0), host: "h\($0 % 3).example") }
        _ = try await store.add(batch, limits: ReportCollectorLimits())
        let statements = Statements()
        try await store.write { database in
            database.trace(options: .statement) { event in
                if case .statement(let statement) = event { statements.add(statement.expandedSQL) }
            }
        }
        let reader = EvidenceReader(
            store: store, catalog: PolicyCatalog([]), authorities: PublicAuthorities([]), limits: PinReportLimits(),
            clock: .fixed(Sample.time.advanced(bySeconds: 90)))
        let newest = try await store.incidents(
            IncidentQuery(app: "com.example.shop", host: "h0.example", state: .new, since: Sample.time)
        ).incidents
        let id = try #require(newest.first?.id)
        let view = try #require(try await reader.view(of: id))
        #expect(view.detail.samples.count == IncidentDetail.sampleLimit)
        #expect(view.detail.summary.count == 30)
        _ = try await store.incidents(IncidentQuery())
        _ = try await store.totals(at: Sample.time)
        _ = try await store.hosts(withRoot: "CN=Root", since: Sample.time, limit: 33)
        _ = try await store.report(1)
        _ = try await store.claimNotices(at: Sample.time)
        try await store.write { $0.trace(nil) }
        let all = statements.all
        // The incident, its values, hours, reports and changes, and the bodies of some reports.
        for table in ["FROM incident ", "incidentFacet", "incidentHour", "incidentChange", "FROM report WHERE"] {
            #expect(all.contains { $0.contains(table) }, "\(table)")
        }
        #expect(try await scans(all, in: store) == [])
        await store.close()
    }

    /// Without its index, the statement for the reports of an incident is found by the same test.
    @Test func aMissingIndexIsFound() async throws {
        let store = try SQLiteReportStore(path: nil)
        let statement = "SELECT id FROM report WHERE incidentID = 1 AND length(body) > 0 ORDER BY id DESC LIMIT 20"
        #expect(try await scans([statement], in: store).isEmpty)
        try await store.write { try $0.execute(sql: "DROP INDEX reportWithBody") }
        #expect(try await scans([statement], in: store).count == 1)
        await store.close()
    }
}
