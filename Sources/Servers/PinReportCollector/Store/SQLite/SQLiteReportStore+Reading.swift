import GRDB
import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SQLiteReportStore {
    func page(_ query: ReportQuery) async throws(ReportCollectorError) -> ReportPage {
        var conditions = query.filter.conditions
        if let before = query.before { conditions.append(("id < ?", before.databaseValue)) }
        let filter = Self.clause(conditions)
        let (sql, arguments) = (filter.sql, StatementArguments(filter.arguments + [(query.limit + 1).databaseValue]))
        return try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT id, receivedAt, details FROM report\(sql) ORDER BY id DESC LIMIT ?",
                arguments: arguments)
            return ReportPage(rows.map(StoredReport.init), limit: query.limit)
        }
    }

    func report(_ id: Int64) async throws(ReportCollectorError) -> StoredReportWithBody? {
        try await read { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT id, receivedAt, details, body FROM report WHERE id = ?", arguments: [id])
            guard let row else { return nil }
            let body: Data = row["body"]
            return StoredReportWithBody(report: StoredReport(row), body: body.isEmpty ? nil : Array(body))
        }
    }

    func summary(_ filter: ReportFilter) async throws(ReportCollectorError) -> ReportSummary {
        let clause = Self.clause(filter.conditions)
        let (sql, arguments) = (
            clause.sql, StatementArguments(clause.arguments + [(ReportSummary.rowLimit + 1).databaseValue])
        )
        return try await read { database in
            // Integer division truncates towards zero, which is the beginning of the day for times since 1970.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT receivedAt / 86400 AS day, host, result, COUNT(*) AS count FROM report\(sql)
                    GROUP BY day, host, result ORDER BY day DESC, count DESC, host, result LIMIT ?
                    """,
                arguments: arguments)
            let total = try Row.fetchOne(database, sql: "SELECT reports, bytes FROM total")
            return ReportSummary(
                rows: rows.prefix(ReportSummary.rowLimit).map(ReportSummary.Line.init),
                isCut: rows.count > ReportSummary.rowLimit, reports: total?["reports"] ?? 0,
                bytes: total?["bytes"] ?? 0)
        }
    }

    /// A part of a `WHERE` clause with its value.
    typealias Condition = (sql: String, argument: DatabaseValue)

    static func clause(_ conditions: [Condition]) -> (sql: String, arguments: [DatabaseValue]) {
        guard !conditions.isEmpty else { return ("", []) }
        return (" WHERE " + conditions.map(\.sql).joined(separator: " AND "), conditions.map(\.argument))
    }
}

extension ReportFilter {
    fileprivate var conditions: [SQLiteReportStore.Condition] {
        var conditions: [SQLiteReportStore.Condition] = []
        if let host { conditions.append(("host = ?", host.text.databaseValue)) }
        if let result { conditions.append(("result = ?", result.rawValue.databaseValue)) }
        if let since { conditions.append(("receivedAt >= ?", since.secondsSince1970.databaseValue)) }
        return conditions
    }
}

extension StoredReport {
    fileprivate init(_ row: Row) {
        self.init(id: row["id"], receivedAt: Timestamp(secondsSince1970: row["receivedAt"]), details: row["details"])
    }
}

extension ReportSummary.Line {
    fileprivate init(_ row: Row) {
        let result: Int? = row["result"]
        self.init(
            day: row["day"], host: row["host"], result: result.flatMap { TrustKitResult(rawValue: $0) },
            count: row["count"])
    }
}
