import GRDB
import HoldfastTrust
import PinReports

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SQLiteReportStore {
    func incidents(_ query: IncidentQuery) async throws(ReportCollectorError) -> IncidentPage {
        var conditions: [Condition] = []
        if let app = query.app { conditions.append(("app = ?", app.databaseValue)) }
        if let host = query.host { conditions.append(("host = ?", host.databaseValue)) }
        if let state = query.state { conditions.append(("state = ?", state.rawValue.databaseValue)) }
        if let since = query.since { conditions.append(("lastSeen >= ?", since.secondsSince1970.databaseValue)) }
        let clause = Self.clause(conditions)
        var (sql, values) = (clause.sql, clause.arguments)
        if let before = query.before {
            sql += (sql.isEmpty ? " WHERE" : " AND") + " (lastSeen, id) < (?, ?)"
            values += [before.lastSeen.secondsSince1970.databaseValue, before.id.databaseValue]
        }
        let limit = query.clampedLimit
        let (text, arguments) = (sql, StatementArguments(values + [(limit + 1).databaseValue]))
        return try await read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM incident\(text) ORDER BY lastSeen DESC, id DESC LIMIT ?",
                arguments: arguments)
            return IncidentPage(rows.map { IncidentSummary($0) }, limit: limit)
        }
    }

    func incident(_ id: Int64) async throws(ReportCollectorError) -> IncidentDetail? {
        try await read { database in
            let row = try Row.fetchOne(database, sql: "SELECT * FROM incident WHERE id = ?", arguments: [id])
            guard let row else { return nil }
            var detail = IncidentDetail(summary: IncidentSummary(row))
            let facets = try Row.fetchAll(
                database, sql: "SELECT facet, value, count FROM incidentFacet WHERE incidentID = ?", arguments: [id])
            detail.add(
                facets.compactMap { row in
                    IncidentFacet(rawValue: row["facet"]).map { ($0, row["value"], row["count"]) }
                })
            let hours = try Row.fetchAll(
                database, sql: "SELECT hour, count FROM incidentHour WHERE incidentID = ? ORDER BY hour",
                arguments: [id])
            detail.hours = hours.map { HourCount(hourSince1970: $0["hour"], count: $0["count"]) }
            detail.samples = try Int64.fetchAll(
                database,
                sql: "SELECT id FROM report WHERE incidentID = ? AND length(body) > 0 ORDER BY id DESC LIMIT ?",
                arguments: [id, IncidentDetail.sampleLimit])
            let changes = try Row.fetchAll(
                database,
                sql: """
                    SELECT state, changedAt, person FROM incidentChange WHERE incidentID = ? ORDER BY id DESC LIMIT ?
                    """,
                arguments: [id, IncidentDetail.historyLimit])
            detail.history = changes.reversed().map { row in
                StateChange(
                    state: IncidentState(rawValue: row["state"]) ?? .new,
                    at: Timestamp(secondsSince1970: row["changedAt"]), by: row["person"])
            }
            return detail
        }
    }

    func totals(at now: Timestamp) async throws(ReportCollectorError) -> ReportTotals {
        try await read { database in
            // The pace is counted by ten seconds, so the last minute and the last hour are up to ten seconds longer.
            func count(since seconds: Int64) throws -> Int {
                try Int.fetchOne(
                    database, sql: "SELECT coalesce(sum(reports), 0) FROM reportPace WHERE slot >= ?",
                    arguments: [now.advanced(bySeconds: 1 - seconds).paceSlot]) ?? 0
            }
            let total = try Row.fetchOne(database, sql: "SELECT reports, bytes, identities FROM total")
            let oldest = try Int64.fetchOne(database, sql: "SELECT min(receivedAt) FROM reportIdentity")
            let states = try Row.fetchAll(database, sql: "SELECT state, COUNT(*) AS count FROM incident GROUP BY state")
            var incidents: [IncidentState: Int] = [:]
            for row in states {
                if let state = IncidentState(rawValue: row["state"]) { incidents[state] = row["count"] }
            }
            return ReportTotals(
                reports: total?["reports"] ?? 0, bytes: total?["bytes"] ?? 0, incidents: incidents,
                lastMinute: try count(since: 60), lastHour: try count(since: 3_600),
                identities: total?["identities"] ?? 0,
                oldestIdentity: oldest.map { Timestamp(secondsSince1970: $0) },
                notices: try SQLiteNotices(database).count())
        }
    }

    func change(
        _ id: Int64, to state: IncidentState, by person: String, at time: Timestamp
    ) async throws(ReportCollectorError) -> Bool {
        try await write { try SQLiteIncidents($0).change(id, to: state, by: person, at: time) }
    }

    func rollout(_ id: RolloutID) async throws(ReportCollectorError) -> RolloutRecord {
        try await read { try SQLiteRollouts($0).record(id) }
    }

    func change(
        _ id: RolloutID, _ change: RolloutChange
    ) async throws(ReportCollectorError) -> RolloutRecord {
        try await write { database in
            let rollouts = SQLiteRollouts(database)
            try rollouts.change(id, change)
            return try rollouts.record(id)
        }
    }

    func hosts(
        withRoot root: String, since time: Timestamp, limit: Int
    ) async throws(ReportCollectorError) -> [String] {
        let digest = ReportFacts.root(root).data
        return try await read { database in
            try String.fetchAll(
                database,
                sql: "SELECT DISTINCT host FROM incident WHERE root = ? AND lastSeen >= ? ORDER BY host LIMIT ?",
                arguments: [digest, time.secondsSince1970, limit])
        }
    }
}

extension HourCount {
    /// Creates a count from the number of the hour since 1970.
    init(hourSince1970 hour: Int64, count: Int64) {
        let (seconds, overflow) = hour.multipliedReportingOverflow(by: 3_600)
        self.init(hour: Timestamp(secondsSince1970: overflow ? .max : seconds), count: count)
    }
}

extension IncidentSummary {
    /// Creates an incident from a row with all columns of the table.
    init(_ row: Row) {
        let clients: Data = row["clients"]
        let sketch = ClientSketch(bytes: Array(clients)) ?? ClientSketch()
        self.init(
            id: row["id"],
            key: IncidentKey(app: row["app"], host: row["host"], result: row["result"], seenPin: row["seenPin"]),
            state: IncidentState(rawValue: row["state"]) ?? .new,
            firstSeen: Timestamp(secondsSince1970: row["firstSeen"]),
            lastSeen: Timestamp(secondsSince1970: row["lastSeen"]), count: row["count"], clients: sketch.estimate,
            isExact: sketch.isExact)
    }
}
