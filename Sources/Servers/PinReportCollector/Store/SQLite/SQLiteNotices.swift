import GRDB
import HoldfastTrust
import PinReports

/// The changes of incidents that wait for the webhook. A trigger adds them. A value for one transaction.
struct SQLiteNotices {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Removes earlier notices if no collector with a webhook has used the database.
    func begin(at now: Timestamp) throws {
        try database.execute(
            sql: "INSERT INTO webhookStart (id, startedAt) VALUES (1, ?) ON CONFLICT DO NOTHING",
            arguments: [now.secondsSince1970])
        guard database.changesCount > 0 else { return }
        try remove(before: now)
    }

    /// Returns whether a notice is due.
    func hasDue(at now: Timestamp) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM webhookNotice WHERE dueAt <= ? OR dueAt > ?)",
            arguments: [now.secondsSince1970, WebhookNotice.latestDue(at: now).secondsSince1970]) ?? false
    }

    /// Claims notices that are due.
    func claim(at now: Timestamp) throws -> [WebhookNotice] {
        let half = WebhookNotice.claimLimit / 2
        let rows = try Row.fetchAll(
            database,
            sql: """
                WITH due AS (
                    SELECT incidentID, webhookNotice.changedAt, count
                    FROM webhookNotice JOIN incident ON incident.id = incidentID WHERE dueAt <= ? OR dueAt > ?
                ), chosen AS (
                    SELECT incidentID FROM (SELECT incidentID FROM due ORDER BY count DESC, incidentID LIMIT \(half))
                    UNION
                    SELECT incidentID FROM (SELECT incidentID FROM due ORDER BY changedAt, incidentID LIMIT \(half))
                )
                SELECT incident.*, change, webhookNotice.changedAt AS noticeAt, failures
                FROM chosen JOIN webhookNotice USING (incidentID) JOIN incident ON incident.id = incidentID
                ORDER BY noticeAt, incident.id
                """,
            arguments: [now.secondsSince1970, WebhookNotice.latestDue(at: now).secondsSince1970])
        for row in rows {
            let id: Int64 = row["id"]
            try database.execute(
                sql: "UPDATE webhookNotice SET dueAt = ? WHERE incidentID = ?",
                arguments: [now.advanced(bySeconds: WebhookNotice.lease).secondsSince1970, id])
        }
        return rows.compactMap { row in
            let state = IncidentState(rawValue: row["change"])
            return state.flatMap { WebhookNotice.Change($0) }.map { change in
                WebhookNotice(
                    change, of: IncidentSummary(row), at: Timestamp(secondsSince1970: row["noticeAt"]),
                    failures: row["failures"])
            }
        }
    }

    /// Ends the claim of a notice, unless another change has replaced it.
    func settle(_ notice: WebhookNotice, _ settlement: WebhookNotice.Settlement) throws {
        let key = [
            notice.incident.id.databaseValue, notice.change.state.rawValue.databaseValue,
            notice.time.secondsSince1970.databaseValue,
        ]
        let condition = "WHERE incidentID = ? AND change = ? AND changedAt = ?"
        switch settlement {
        case .ended:
            try database.execute(
                sql: "DELETE FROM webhookNotice \(condition)", arguments: StatementArguments(key))
        case .retried(let time):
            let values = [(notice.failures + 1).databaseValue, time.secondsSince1970.databaseValue]
            try database.execute(
                sql: "UPDATE webhookNotice SET failures = ?, dueAt = ? \(condition)",
                arguments: StatementArguments(values + key))
        case .released:
            try database.execute(
                sql: "UPDATE webhookNotice SET dueAt = 0 \(condition)", arguments: StatementArguments(key))
        }
    }

    /// Removes the notices of changes before a time.
    func remove(before time: Timestamp) throws {
        try database.execute(
            sql: "DELETE FROM webhookNotice WHERE changedAt < ?", arguments: [time.secondsSince1970])
    }

    /// Returns the number of notices.
    func count() throws -> Int { try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM webhookNotice") ?? 0 }
}

extension SQLiteReportStore {
    func beginNotices(at now: Timestamp) async throws(ReportCollectorError) {
        try await write { try SQLiteNotices($0).begin(at: now) }
    }

    func claimNotices(at now: Timestamp) async throws(ReportCollectorError) -> [WebhookNotice] {
        // Usually nothing is due. A reader then finds that out without delaying batches.
        guard try await read({ try SQLiteNotices($0).hasDue(at: now) }) else { return [] }
        return try await write { try SQLiteNotices($0).claim(at: now) }
    }

    func settle(
        _ notice: WebhookNotice, _ settlement: WebhookNotice.Settlement
    ) async throws(ReportCollectorError) {
        try await write { try SQLiteNotices($0).settle(notice, settlement) }
    }
}
