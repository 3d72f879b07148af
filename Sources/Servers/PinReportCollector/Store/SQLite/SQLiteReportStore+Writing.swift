import GRDB
import HoldfastTrust
import PinReports

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SQLiteReportStore {
    func add(
        _ batch: [IncomingReport], limits: ReportCollectorLimits
    ) async throws(ReportCollectorError) -> [ReportOutcome] {
        guard let newest = batch.map(\.receivedAt).max() else { return [] }
        return try await write { database in
            var outcomes: [ReportOutcome] = []
            var counted: [IncomingReport] = []
            try Self.expire(before: newest, limits: limits, in: database)
            try SQLiteIdentities(database).limit(at: newest, limits: limits)
            for report in batch {
                let outcome = try Self.add(report, limits: limits, in: database)
                if case .stored = outcome { counted.append(report) }
                outcomes.append(outcome)
            }
            guard !counted.isEmpty else { return outcomes }
            let incidents = SQLiteIncidents(database)
            for delta in IncidentDelta.all(counted.map(\.facts)) { try incidents.apply(delta) }
            for delta in RolloutDelta.all(counted) { try SQLiteRollouts(database).apply(delta) }
            try Self.countPace(counted, in: database)
            try incidents.limit(to: limits.incidents)
            return outcomes
        }
    }

    func expire(at now: Timestamp, limits: ReportCollectorLimits) async throws(ReportCollectorError) {
        try await write { database in
            try Self.expire(before: now, limits: limits, in: database)
            let oldest = now.advanced(bySeconds: -limits.storedFor.components.seconds).secondsSince1970
            // The deletion of an incident removes its counts, too.
            try database.execute(sql: "DELETE FROM incident WHERE lastSeen < ?", arguments: [oldest])
            try database.execute(sql: "DELETE FROM incidentHour WHERE hour < ?", arguments: [oldest.flooredHour])
            try database.execute(
                sql: "DELETE FROM reportPace WHERE slot < ?", arguments: [now.advanced(bySeconds: -7_200).paceSlot])
            try SQLiteRollouts(database).expire(at: now, before: oldest)
            try SQLiteNotices(database).remove(before: now.advanced(bySeconds: -WebhookNotice.lifetime))
            try SQLiteIncidents(database).limit(to: limits.incidents)
        }
        try await expireIdentities(at: now, limits: limits)
    }

    /// The number of transactions of one expiry of identities. The rest follows with the next one.
    private static let chunkLimit = 500

    /// Removes expired identities in transactions of their own.
    private func expireIdentities(at now: Timestamp, limits: ReportCollectorLimits) async throws(ReportCollectorError) {
        let (chunk, oldest) = (SQLiteIdentities.chunk, now.advanced(bySeconds: -limits.identityLifetime))
        for _ in 0..<Self.chunkLimit {
            guard try await write({ try SQLiteIdentities($0).remove(chunk, before: oldest) }) >= chunk else { return }
        }
    }

    /// Stores a report unless it is already stored. Removes old reports first, to meet the limits.
    private static func add(
        _ report: IncomingReport, limits: ReportCollectorLimits, in database: Database
    ) throws -> ReportOutcome {
        let identities = SQLiteIdentities(database)
        let known = try identities.earlier(report, limits: limits)
        if let outcome = known.outcome { return outcome }
        let size = Int64(report.size)
        try makeRoom(for: size, limits: limits, in: database)
        try database.executeCached(
            """
            INSERT INTO report
                (receivedAt, identity, digest, host, notedHost, result, size, details, body, incidentID)
            VALUES (?, '', ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                report.receivedAt.secondsSince1970, report.digest.data, report.report.host.text,
                report.report.notedHost.text, report.report.result?.rawValue, size, report.details,
                (report.body ?? []).data, try SQLiteIncidents(database).id(of: report.facts),
            ])
        let id = database.lastInsertedRowID
        try identities.claim(report, for: id, replacing: known.isReplaced)
        return .stored(id)
    }

    private static func expire(before now: Timestamp, limits: ReportCollectorLimits, in database: Database) throws {
        let oldest = now.advanced(bySeconds: -limits.storedFor.components.seconds)
        try database.executeCached("DELETE FROM report WHERE receivedAt < ?", [oldest.secondsSince1970])
    }

    private static func makeRoom(for size: Int64, limits: ReportCollectorLimits, in database: Database) throws {
        while let total = try Row.fetchOne(database.cachedStatement(sql: "SELECT reports, bytes FROM total")) {
            let (reports, bytes): (Int, Int64) = (total["reports"], total["bytes"])
            guard reports > 0, reports >= limits.storedReports || bytes > limits.storedBytes - size else { return }
            // A lowered limit may have made thousands of reports excessive, so they are removed in one step.
            let surplus = max(1, reports - limits.storedReports + 1)
            try database.execute(
                sql: "DELETE FROM report WHERE id IN (SELECT id FROM report ORDER BY id LIMIT ?)",
                arguments: [surplus])
        }
    }

    /// Counts reports by ten seconds, so that the desk does not count rows.
    private static func countPace(_ reports: [IncomingReport], in database: Database) throws {
        var slots: [Int64: Int64] = [:]
        for report in reports { slots[report.receivedAt.paceSlot, default: 0] += 1 }
        let sql = "INSERT INTO reportPace VALUES (?, ?) ON CONFLICT DO UPDATE SET reports = reports + excluded.reports"
        for (slot, count) in slots { try database.executeCached(sql, [slot, count]) }
    }
}

extension Database {
    /// Executes a statement that is compiled once for the connection. The statements that every report needs are
    /// compiled only once, because compiling one takes longer than its execution.
    func executeCached(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension [UInt8] {
    /// The bytes for the database.
    var data: Data { Data(self) }
}
