import GRDB
import HoldfastTrust
import PinReports

/// Stores the reports of one batch. What all reports need is read once: the totals, and the number of each incident.
///
/// A value for one transaction, in which nothing else changes reports or removes incidents. ``end()`` must be called.
struct SQLiteBatch {
    private let database: Database
    private let limits: ReportCollectorLimits
    private let incidents: SQLiteIncidents
    private let identities: SQLiteIdentities
    private var incidentIDs: [IncidentKey: Int64] = [:]
    private var stored: (reports: Int, bytes: Int64)
    private var newIdentities = 0

    init(_ database: Database, limits: ReportCollectorLimits) throws {
        self.database = database
        self.limits = limits
        incidents = SQLiteIncidents(database)
        identities = SQLiteIdentities(database)
        stored = try Self.total(in: database)
    }

    /// Stores a report unless it is already stored. Removes old reports first, to meet the limits.
    mutating func add(_ report: IncomingReport) throws -> ReportOutcome {
        let known = try identities.earlier(report, limits: limits)
        if let outcome = known.outcome { return outcome }
        let size = Int64(report.size)
        try makeRoom(for: size)
        try database.executeCached(
            """
            INSERT INTO report
                (receivedAt, identity, digest, host, notedHost, result, size, details, body, incidentID)
            VALUES (?, '', ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                report.receivedAt.secondsSince1970, report.digest.data, report.report.host.text,
                report.report.notedHost.text, report.report.result?.rawValue, size, report.details,
                (report.body ?? []).data, try incidentID(of: report.facts),
            ])
        let id = database.lastInsertedRowID
        stored.reports += 1
        stored.bytes += size
        try identities.claim(report, for: id)
        if !known.isReplaced { newIdentities += 1 }
        return .stored(id)
    }

    /// Counts the new identities.
    func end() throws {
        if newIdentities > 0 { try identities.count(newIdentities) }
    }

    private mutating func incidentID(of facts: ReportFacts) throws -> Int64 {
        if let id = incidentIDs[facts.key] { return id }
        let id = try incidents.id(of: facts)
        incidentIDs[facts.key] = id
        return id
    }

    private mutating func makeRoom(for size: Int64) throws {
        while stored.reports > 0,
            stored.reports >= limits.storedReports || stored.bytes > limits.storedBytes - size
        {
            // A lowered limit may have made thousands of reports excessive, so they are removed in one step.
            let surplus = max(1, stored.reports - limits.storedReports + 1)
            try database.execute(
                sql: "DELETE FROM report WHERE id IN (SELECT id FROM report ORDER BY id LIMIT ?)",
                arguments: [surplus])
            stored = try Self.total(in: database)
        }
    }

    private static func total(in database: Database) throws -> (reports: Int, bytes: Int64) {
        let row = try Row.fetchOne(database.cachedStatement(sql: "SELECT reports, bytes FROM total"))
        return row.map { ($0["reports"], $0["bytes"]) } ?? (0, 0)
    }
}
