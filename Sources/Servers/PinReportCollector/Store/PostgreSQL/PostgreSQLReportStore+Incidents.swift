#if PostgreSQL

import HoldfastTrust
import PinReports
import PostgreSQLClient

/// An incident that a batch has counted and locked.
struct CountedIncident: Sendable {
    let key: [UInt8]
    let id: Int64
    let state: IncidentState
    let changedAt: Timestamp
    let clients: ClientSketch
    /// Whether the batch created the incident.
    let isNew: Bool

    init(_ row: PostgreSQLRow) throws(PostgreSQLError) {
        key = try row.bytes(0)
        id = try row.integer(1)
        state = IncidentState(rawValue: try row.text(2)) ?? .new
        changedAt = Timestamp(secondsSince1970: try row.integer(3))
        clients = ClientSketch(bytes: try row.bytes(4)) ?? ClientSketch()
        isNew = try row.integer(5) == 1
    }
}

/// The statements that apply a batch to the incidents that it has locked.
struct IncidentChanges {
    private struct Update {
        var id: Int64
        var state: IncidentState
        var changedAt: Timestamp
        var clients: [UInt8]
    }

    private var updates: [Update] = []
    private var log: [(id: Int64, state: IncidentState, at: Timestamp)] = []
    private var values: [(id: Int64, value: IncidentDelta.Value, count: Int64)] = []
    private var hours: [(id: Int64, hour: Int64, count: Int64)] = []

    init(_ pairs: [(delta: IncidentDelta, incident: CountedIncident)]) {
        for (delta, incident) in pairs {
            var clients = incident.clients
            for client in delta.clients { clients.insert(client) }
            let state = incident.state.afterReport(failedAt: delta.lastFailure, changedAt: incident.changedAt)
            let hasChanged = state != incident.state
            if hasChanged || incident.isNew {
                log.append((incident.id, state, incident.isNew ? delta.firstSeen : delta.lastSeen))
            }
            if hasChanged || clients != incident.clients {
                let changedAt = hasChanged ? delta.lastSeen : incident.changedAt
                updates.append(
                    Update(id: incident.id, state: state, changedAt: changedAt, clients: clients.bytes))
            }
            values += delta.sortedValues.map { (incident.id, $0.value, $0.count) }
            hours += delta.hours.sorted { $0.key < $1.key }.map { (incident.id, $0.key, $0.value) }
        }
    }

    var statements: [PostgreSQLStatement] {
        var statements = [countValues, countHours]
        if !updates.isEmpty { statements.append(update) }
        if !log.isEmpty { statements.append(insertLog) }
        return statements
    }

    private var update: PostgreSQLStatement {
        PostgreSQLStatement(
            "updateIncidents",
            """
            UPDATE incident SET state = changed.state, changed_at = changed.changed_at, clients = changed.clients
            FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bytea[]) AS changed (id, state, changed_at, clients)
            WHERE incident.id = changed.id
            """,
            [
                .integers(updates.map(\.id)), .texts(updates.map(\.state.rawValue)),
                .integers(updates.map(\.changedAt.secondsSince1970)), .byteStrings(updates.map(\.clients)),
            ])
    }

    /// Logs the changes of states, and records those that a webhook is told about.
    private var insertLog: PostgreSQLStatement {
        PostgreSQLStatement(
            "logStates",
            """
            WITH logged AS (
                INSERT INTO incident_change (incident_id, state, changed_at, person)
                SELECT id, state, changed_at, '' FROM unnest($1::bigint[], $2::text[], $3::bigint[])
                    AS changed (id, state, changed_at)
                RETURNING incident_id, state, changed_at
            )
            INSERT INTO webhook_notice (incident_id, change, changed_at)
            SELECT incident_id, state, changed_at FROM logged WHERE state IN ('new', 'cameBack') ORDER BY incident_id
            ON CONFLICT (incident_id) DO UPDATE SET change = excluded.change, changed_at = excluded.changed_at,
                failures = 0, due_at = 0
            """,
            [
                .integers(log.map(\.id)), .texts(log.map(\.state.rawValue)),
                .integers(log.map(\.at.secondsSince1970)),
            ])
    }

    private var countHours: PostgreSQLStatement {
        PostgreSQLStatement(
            "countHours",
            """
            INSERT INTO incident_hour AS known (incident_id, hour, count)
            SELECT id, hour, count FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS added (id, hour, count)
            ON CONFLICT (incident_id, hour) DO UPDATE SET count = known.count + excluded.count
            """,
            [.integers(hours.map(\.id)), .integers(hours.map(\.hour)), .integers(hours.map(\.count))])
    }

    /// Counts the values. A new value beyond the limit is counted under the empty value, which reports never have. The
    /// lock of the incident prevents that two batches add values at the same time.
    private var countValues: PostgreSQLStatement {
        PostgreSQLStatement(
            "countValues",
            """
            WITH added AS (
                SELECT added.*, EXISTS (SELECT FROM incident_facet f
                    WHERE f.incident_id = id AND f.facet = added.facet AND f.value = added.value) AS is_known
                FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS added (id, facet, value, count)
            ), ranked AS (
                SELECT id, facet, value, count, is_known,
                    row_number() OVER (PARTITION BY id, facet, is_known ORDER BY value) AS rank
                FROM added
            ), allowed AS (
                SELECT id, facet, count, CASE WHEN is_known OR rank + (SELECT count(*) FROM incident_facet f
                    WHERE f.incident_id = id AND f.facet = ranked.facet AND f.value <> '') <= $5
                    THEN value ELSE '' END AS value
                FROM ranked
            )
            INSERT INTO incident_facet AS known (incident_id, facet, value, count)
            SELECT id, facet, value, sum(count)::bigint FROM allowed GROUP BY id, facet, value
            ON CONFLICT (incident_id, facet, value) DO UPDATE SET count = known.count + excluded.count
            """,
            [
                .integers(values.map(\.id)), .integers(values.map(\.value.facet.rawValue)),
                .texts(values.map(\.value.text)), .integers(values.map(\.count)),
                .integer(Int64(IncidentDetail.facetLimit)),
            ])
    }
}

extension PostgreSQLReportStore {
    /// Removes incidents beyond the limit: see ``IncidentPlaces``. Skips incidents that other batches have locked.
    static func limitIncidents(to limit: Int) -> PostgreSQLStatement {
        // The limit is a number of the configuration, so it is a part of the text.
        PostgreSQLStatement(
            "limitIncidents",
            """
            DELETE FROM incident WHERE id IN (
                SELECT id FROM incident WHERE id IN (
                    \(IncidentPlaces.surplus(limit: limit, lastSeen: "last_seen"))
                    LIMIT greatest(0, (SELECT count(*) FROM incident) - $1))
                FOR UPDATE SKIP LOCKED)
            """, [.integer(Int64(clamping: limit))])
    }
}

#endif
