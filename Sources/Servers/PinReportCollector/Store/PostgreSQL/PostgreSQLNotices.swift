#if PostgreSQL

import HoldfastTrust
import PinReports
import PostgreSQLClient

/// The statements for the changes of incidents that wait for the webhook. Batches add them. A statement that changes
/// several rows skips those that others have locked, so that no two statements wait for each other.
enum PostgreSQLNotices {
    /// Removes earlier notices if no collector with a webhook has used the database.
    static func begin(at now: Timestamp) -> PostgreSQLStatement {
        PostgreSQLStatement(
            "beginNotices",
            """
            WITH first AS (
                INSERT INTO webhook_start (id, started_at) VALUES (1, $1) ON CONFLICT DO NOTHING RETURNING id
            )
            DELETE FROM webhook_notice WHERE EXISTS (SELECT FROM first) AND incident_id IN (
                SELECT incident_id FROM webhook_notice WHERE changed_at < $1 FOR UPDATE SKIP LOCKED)
            """, [.integer(now.secondsSince1970)])
    }

    /// Claims notices that are due, and returns them.
    static func claim(
        at now: Timestamp, _ connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> [WebhookNotice] {
        let rows = try connection.run(
            PostgreSQLStatement(
                "claimNotices", claim,
                [
                    .integer(now.secondsSince1970), .integer(WebhookNotice.latestDue(at: now).secondsSince1970),
                    .integer(now.advanced(bySeconds: WebhookNotice.lease).secondsSince1970),
                    .integer(Int64(WebhookNotice.claimLimit / 2)),
                ]))
        let claimed = try rows.map { row throws(PostgreSQLError) -> WebhookNotice? in
            let next = IncidentSummary.columnCount
            let state = IncidentState(rawValue: try row.text(next))
            guard let change = state.flatMap({ WebhookNotice.Change($0) }) else { return nil }
            return WebhookNotice(
                change, of: try IncidentSummary(row), at: Timestamp(secondsSince1970: try row.integer(next + 1)),
                failures: Int(clamping: try row.integer(next + 2)))
        }
        // RETURNING has no order.
        return claimed.compactMap(\.self).sorted { ($0.time, $0.incident.id) < ($1.time, $1.incident.id) }
    }

    private static let claim = """
        WITH due AS (
            SELECT incident_id, notice.changed_at, count
            FROM webhook_notice AS notice JOIN incident ON incident.id = incident_id WHERE due_at <= $1 OR due_at > $2
        ), chosen AS (
            (SELECT incident_id FROM due ORDER BY count DESC, incident_id LIMIT $4)
            UNION
            (SELECT incident_id FROM due ORDER BY changed_at, incident_id LIMIT $4)
        ), locked AS (
            SELECT incident_id FROM webhook_notice
            WHERE incident_id IN (SELECT incident_id FROM chosen) AND (due_at <= $1 OR due_at > $2)
            FOR UPDATE SKIP LOCKED
        )
        UPDATE webhook_notice AS notice SET due_at = $3 FROM locked, incident
        WHERE notice.incident_id = locked.incident_id AND incident.id = notice.incident_id
        RETURNING \(IncidentSummary.columns), notice.change, notice.changed_at, notice.failures
        """

    /// Ends the claim of a notice, unless another change has replaced it. A repetition has no effect.
    static func settle(
        _ notice: WebhookNotice, _ settlement: WebhookNotice.Settlement
    ) -> PostgreSQLStatement {
        let key: [PostgreSQLValue] = [
            .integer(notice.incident.id), .text(notice.change.state.rawValue), .integer(notice.time.secondsSince1970),
        ]
        let condition = "WHERE incident_id = $1 AND change = $2 AND changed_at = $3"
        switch settlement {
        case .ended:
            return PostgreSQLStatement("endNotice", "DELETE FROM webhook_notice \(condition)", key)
        case .retried(let time):
            return PostgreSQLStatement(
                "retryNotice", "UPDATE webhook_notice SET failures = $4, due_at = $5 \(condition)",
                key + [.integer(Int64(notice.failures + 1)), .integer(time.secondsSince1970)])
        case .released:
            return PostgreSQLStatement(
                "releaseNotice", "UPDATE webhook_notice SET due_at = 0 \(condition)", key)
        }
    }

    /// Removes old notices.
    static func expire(at now: Timestamp) -> PostgreSQLStatement {
        PostgreSQLStatement(
            "removeNotices",
            """
            DELETE FROM webhook_notice WHERE incident_id IN (
                SELECT incident_id FROM webhook_notice WHERE changed_at < $1 FOR UPDATE SKIP LOCKED)
            """, [.integer(now.advanced(bySeconds: -WebhookNotice.lifetime).secondsSince1970)])
    }

    static let count = PostgreSQLStatement("countNotices", "SELECT count(*) FROM webhook_notice")
}

extension PostgreSQLReportStore {
    func beginNotices(at now: Timestamp) async throws(ReportCollectorError) {
        try await write { connection throws(PostgreSQLError) in
            _ = try connection.run(PostgreSQLNotices.begin(at: now))
        }
    }

    func claimNotices(at now: Timestamp) async throws(ReportCollectorError) -> [WebhookNotice] {
        try await write { connection throws(PostgreSQLError) in try PostgreSQLNotices.claim(at: now, connection) }
    }

    func settle(
        _ notice: WebhookNotice, _ settlement: WebhookNotice.Settlement
    ) async throws(ReportCollectorError) {
        try await write { connection throws(PostgreSQLError) in
            _ = try connection.run(PostgreSQLNotices.settle(notice, settlement))
        }
    }
}

#endif
