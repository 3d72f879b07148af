import GRDB
import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ReportStore {
    /// Returns a page of reports, newest first, and the number at which the next page begins if there are more.
    func page(_ query: ReportQuery) throws(ReportCollectorError) -> (reports: [StoredReport], next: Int64?) {
        var conditions = query.filter.conditions
        if let before = query.before { conditions.append(("id < ?", before)) }
        let filter = Self.clause(conditions)
        return try read { database in
            var arguments = filter.arguments
            arguments.append(query.limit + 1)
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT id, receivedAt, details FROM report\(filter.sql) ORDER BY id DESC LIMIT ?",
                arguments: StatementArguments(arguments))
            let reports = rows.prefix(query.limit).map(StoredReport.init)
            return (reports, rows.count > query.limit ? reports.last?.id : nil)
        }
    }

    /// Returns a report with the received bytes.
    func report(_ id: Int64) throws(ReportCollectorError) -> (report: StoredReport, body: [UInt8])? {
        try read { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT id, receivedAt, details, body FROM report WHERE id = ?", arguments: [id])
            guard let row else { return nil }
            let body: Data = row["body"]
            return (StoredReport(row), Array(body))
        }
    }

    /// Returns the number of reports for each host, result and day (UTC), latest days first.
    func summary(_ filter: ReportFilter) throws(ReportCollectorError) -> ReportSummary {
        let clause = Self.clause(filter.conditions)
        return try read { database in
            var arguments = clause.arguments
            arguments.append(ReportSummary.rowLimit + 1)
            // Integer division truncates towards zero, which is the beginning of the day for times since 1970.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT receivedAt / 86400 AS day, host, result, COUNT(*) AS count FROM report\(clause.sql)
                    GROUP BY day, host, result ORDER BY day DESC, count DESC, host, result LIMIT ?
                    """,
                arguments: StatementArguments(arguments))
            let total = try Row.fetchOne(database, sql: "SELECT reports, bytes FROM total")
            return ReportSummary(
                rows: rows.prefix(ReportSummary.rowLimit).map(ReportSummary.Line.init),
                isCut: rows.count > ReportSummary.rowLimit, reports: total?["reports"] ?? 0,
                bytes: total?["bytes"] ?? 0)
        }
    }

    private static func clause(
        _ conditions: [(sql: String, argument: any DatabaseValueConvertible)]
    ) -> (sql: String, arguments: [any DatabaseValueConvertible]) {
        guard !conditions.isEmpty else { return ("", []) }
        return (" WHERE " + conditions.map(\.sql).joined(separator: " AND "), conditions.map(\.argument))
    }
}

extension ReportFilter {
    fileprivate var conditions: [(sql: String, argument: any DatabaseValueConvertible)] {
        var conditions: [(sql: String, argument: any DatabaseValueConvertible)] = []
        if let host { conditions.append(("host = ?", host.text)) }
        if let result { conditions.append(("result = ?", result.rawValue)) }
        if let since { conditions.append(("receivedAt >= ?", since.secondsSince1970)) }
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
