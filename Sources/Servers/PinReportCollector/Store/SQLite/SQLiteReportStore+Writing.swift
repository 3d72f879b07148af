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
            var rows = try SQLiteBatch(database, limits: limits)
            for report in batch {
                let outcome = try rows.add(report)
                if case .stored = outcome { counted.append(report) }
                outcomes.append(outcome)
            }
            try rows.end()
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

    private static func expire(before now: Timestamp, limits: ReportCollectorLimits, in database: Database) throws {
        let oldest = now.advanced(bySeconds: -limits.storedFor.components.seconds)
        try database.executeCached("DELETE FROM report WHERE receivedAt < ?", [oldest.secondsSince1970])
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
