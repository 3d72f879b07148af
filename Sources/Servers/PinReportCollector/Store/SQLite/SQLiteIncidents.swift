import GRDB
import HoldfastTrust
import PinReports

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The incidents in a database, with their counts. A value for one transaction.
struct SQLiteIncidents {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Returns the number of a report's incident. Creates the incident, without a count, if it does not exist.
    func id(of facts: ReportFacts) throws -> Int64 {
        let (key, digest) = (facts.key, facts.key.digest.data)
        let known = try database.cachedStatement(sql: "SELECT id FROM incident WHERE key = ?")
        if let id = try Int64.fetchOne(known, arguments: [digest]) { return id }
        let (time, state) = (facts.time.secondsSince1970, IncidentState.new.rawValue)
        try database.execute(
            sql: """
                INSERT INTO incident
                    (key, app, host, result, seenPin, state, changedAt, firstSeen, lastSeen, count, clients)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
                """,
            arguments: [
                digest, key.app, key.host, key.result, key.seenPin, state, time, time, time, ClientSketch().bytes.data,
            ])
        let id = database.lastInsertedRowID
        try log(IncidentState.new, of: id, at: facts.time, by: "")
        return id
    }

    /// Adds the reports of a batch to their incident. `hasRoots` is false for an older schema, in a migration.
    func apply(_ delta: IncidentDelta, hasRoots: Bool = true) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, state, changedAt, clients FROM incident WHERE key = ?"),
            arguments: [delta.keyDigest.data])
        // A batch removes incidents only after it has counted its own reports.
        guard let row else { return }
        let id: Int64 = row["id"]
        let (name, stored): (String, Data) = (row["state"], row["clients"])
        let state = IncidentState(rawValue: name) ?? .new
        var changedAt = Timestamp(secondsSince1970: row["changedAt"])
        let next = state.afterReport(failedAt: delta.lastFailure, changedAt: changedAt)
        if next != state {
            changedAt = delta.lastSeen
            try log(next, of: id, at: changedAt, by: "")
        }
        var clients = ClientSketch(bytes: Array(stored)) ?? ClientSketch()
        for client in delta.clients { clients.insert(client) }
        try database.executeCached(
            """
            UPDATE incident SET state = ?, changedAt = ?, firstSeen = min(firstSeen, ?), lastSeen = max(lastSeen, ?),
                count = count + ?, clients = ? WHERE id = ?
            """,
            [
                next.rawValue, changedAt.secondsSince1970, delta.firstSeen.secondsSince1970,
                delta.lastSeen.secondsSince1970, delta.count, clients.bytes.data, id,
            ])
        if hasRoots, let root = delta.root {
            try database.executeCached("UPDATE incident SET root = ? WHERE id = ? AND root IS NULL", [root.data, id])
        }
        for (value, count) in delta.sortedValues { try add(count, of: value, to: id) }
        for (hour, count) in delta.hours {
            try database.executeCached(
                """
                INSERT INTO incidentHour (incidentID, hour, count) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET count = count + excluded.count
                """, [id, hour, count])
        }
    }

    /// Counts a value. A new value beyond the limit is counted under the empty value, which reports never have.
    private func add(_ count: Int64, of value: IncidentDelta.Value, to id: Int64) throws {
        let facet = value.facet.rawValue
        try database.executeCached(
            "UPDATE incidentFacet SET count = count + ? WHERE incidentID = ? AND facet = ? AND value = ?",
            [count, id, facet, value.text])
        guard database.changesCount == 0 else { return }
        let values =
            try Int.fetchOne(
                database,
                sql: "SELECT COUNT(*) FROM incidentFacet WHERE incidentID = ? AND facet = ? AND value <> ''",
                arguments: [id, facet]) ?? 0
        try database.execute(
            sql: """
                INSERT INTO incidentFacet (incidentID, facet, value, count) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET count = count + excluded.count
                """, arguments: [id, facet, values < IncidentDetail.facetLimit ? value.text : "", count])
    }

    private func log(_ state: IncidentState, of id: Int64, at time: Timestamp, by person: String) throws {
        try database.execute(
            sql: "INSERT INTO incidentChange (incidentID, state, changedAt, person) VALUES (?, ?, ?, ?)",
            arguments: [id, state.rawValue, time.secondsSince1970, person])
    }

    /// Removes incidents beyond the limit: see ``IncidentPlaces``.
    func limit(to limit: Int) throws {
        let count = try Int.fetchOne(database.cachedStatement(sql: "SELECT COUNT(*) FROM incident")) ?? 0
        guard count > limit else { return }
        let surplus = IncidentPlaces.surplus(limit: limit, lastSeen: "lastSeen")
        try database.execute(
            sql: "DELETE FROM incident WHERE id IN (\(surplus) LIMIT ?)", arguments: [count - limit])
    }

    /// Changes the state of an incident for a person. Returns `false` if the change is not allowed.
    func change(_ id: Int64, to state: IncidentState, by person: String, at time: Timestamp) throws -> Bool {
        let name = try String.fetchOne(database, sql: "SELECT state FROM incident WHERE id = ?", arguments: [id])
        guard let name, let current = IncidentState(rawValue: name), current.allows(state) else { return false }
        try database.execute(
            sql: "UPDATE incident SET state = ?, changedAt = ? WHERE id = ?",
            arguments: [state.rawValue, time.secondsSince1970, id])
        try log(state, of: id, at: time, by: person)
        return true
    }
}
