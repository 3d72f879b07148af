import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

/// An engine that stores reports. The same tests run with each.
enum StoreEngine: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case postgreSQL = "PostgreSQL"

    var testDescription: String { rawValue }

    /// The engines of this build that are installed.
    static let available: [StoreEngine] = isPostgreSQLInstalled ? allCases : [.sqlite]

    static var isPostgreSQLInstalled: Bool {
        #if PostgreSQL
        PostgreSQLServer.programs != nil
        #else
        false
        #endif
    }

    /// Why the tests with PostgreSQL do not run.
    static var skipped: Comment {
        #if PostgreSQL
        "\(PostgreSQLServer.skipped)"
        #else
        "built without the trait PostgreSQL: set HOLDFAST_POSTGRESQL=on, and install libpq-dev"
        #endif
    }

    /// Runs `body` with an empty store, and closes it.
    func with(_ body: (any ReportStore) async throws -> Void) async throws {
        let store = try await makeStore()
        do {
            try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private func makeStore() async throws -> any ReportStore {
        switch self {
        case .sqlite: return try SQLiteReportStore(path: nil)
        case .postgreSQL:
            #if PostgreSQL
            return try await PostgreSQLServer.store(await PostgreSQLServer.shared.value.newDatabase())
            #else
            throw ReportDatabaseURL.unsupported
            #endif
        }
    }
}

extension Sample {
    /// Returns a report to store. Reports with different numbers have different app versions.
    func incoming(
        _ number: Int, id: String? = nil, at seconds: Int64 = 0, host: String = Sample.host,
        _ change: (inout [String: any Sendable]) -> Void = { _ in }
    ) throws -> IncomingReport {
        var report = trustKit
        report["app-version"] = "1.\(number)"
        report["hostname"] = host
        change(&report)
        let body = try Sample.bytes(report)
        return IncomingReport(
            try ReportReader.read(body, limits: ReportCollectorLimits().report), body: body, identifier: id,
            receivedAt: Sample.time.advanced(bySeconds: seconds))
    }
}

extension ReportStore {
    /// Stores one report.
    func add(
        _ report: IncomingReport, limits: ReportCollectorLimits = ReportCollectorLimits()
    ) async throws -> ReportOutcome? {
        try await add([report], limits: limits).first
    }

    /// The numbers of the stored reports, the newest first.
    func ids() async throws -> [Int64] {
        try await page(ReportQuery(limit: 200)).reports.map(\.id)
    }

    /// The only incident.
    func onlyIncident() async throws -> IncidentDetail {
        let incidents = try await incidents(IncidentQuery()).incidents
        let only = try #require(incidents.count == 1 ? incidents.first : nil)
        return try #require(try await incident(only.id))
    }
}
