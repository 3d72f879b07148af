import GRDB
import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The identities of reports. They outlive the reports, so that a report whose answer was lost is not counted again.
///
/// A value for one transaction.
struct SQLiteIdentities {
    /// The number of identities that one transaction removes, so that no batch waits long for it.
    static let chunk = 2_000

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Returns the outcome of a report whose identity is known, and whether a row with an expired identity exists.
    func earlier(
        _ report: IncomingReport, limits: ReportCollectorLimits
    ) throws -> (outcome: ReportOutcome?, isReplaced: Bool) {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT reportID, receivedAt, digest FROM reportIdentity WHERE identity = ?"),
            arguments: [report.identity.data])
        guard let row else { return (nil, false) }
        let (id, receivedAt): (Int64, Int64) = (row["reportID"], row["receivedAt"])
        let digest: Data = row["digest"]
        let since = report.receivedAt.advanced(bySeconds: -limits.identityTime(of: report))
        guard receivedAt > since.secondsSince1970 else { return (nil, true) }
        return (digest == report.digestPrefix.data ? .repeated(id) : .conflicting, false)
    }

    /// Stores the identity of a new report. The caller counts it with ``count(_:)``, unless it replaces one.
    func claim(_ report: IncomingReport, for id: Int64) throws {
        try database.executeCached(
            """
            INSERT INTO reportIdentity (identity, digest, reportID, receivedAt) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET digest = excluded.digest, reportID = excluded.reportID,
                receivedAt = excluded.receivedAt
            """, [report.identity.data, report.digestPrefix.data, id, report.receivedAt.secondsSince1970])
    }

    /// Counts new identities.
    func count(_ new: Int) throws {
        try database.executeCached("UPDATE total SET identities = identities + ?", [new])
    }

    /// Removes the oldest identities beyond the limit before a batch is stored. The identities of the batch do not
    /// count yet, because some of its reports may be repetitions.
    ///
    /// - Throws: ``ReportCollectorError/Code/identitiesFull`` if they are too recent to be removed.
    func limit(at now: Timestamp, limits: ReportCollectorLimits) throws {
        let stored = try Int.fetchOne(database.cachedStatement(sql: "SELECT identities FROM total")) ?? 0
        let surplus = stored - limits.identities
        guard surplus > 0 else { return }
        // Some more, so that not every batch has to remove identities.
        let wanted = min(surplus + limits.identities / 1_000, Self.chunk)
        let before = now.advanced(bySeconds: -ReportCollectorLimits.shortestIdentityTime)
        let removed = try remove(wanted, before: before)
        // After the limit was lowered, each batch removes a part of the surplus.
        guard removed >= min(surplus, wanted) else { throw ReportCollectorError.identitiesFull }
    }

    /// Removes at most `count` identities, the oldest first. Returns how many were removed.
    func remove(_ count: Int, before time: Timestamp) throws -> Int {
        try database.executeCached(
            """
            DELETE FROM reportIdentity WHERE identity IN (
                SELECT identity FROM reportIdentity WHERE receivedAt <= ? ORDER BY receivedAt LIMIT ?)
            """, [time.secondsSince1970, count])
        let removed = database.changesCount
        if removed > 0 { try database.executeCached("UPDATE total SET identities = identities - ?", [removed]) }
        return removed
    }
}
