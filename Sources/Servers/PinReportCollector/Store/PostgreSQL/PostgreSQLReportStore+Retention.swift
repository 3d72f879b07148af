#if PostgreSQL

import HoldfastBase
import HoldfastTrust
import PinReports
import PostgreSQLClient
import Synchronization

extension PostgreSQLReportStore {
    /// The number of rows that one transaction removes, so that no transaction is long.
    private static let chunk: Int64 = 5_000
    /// The number of transactions of one expiry. The rest follows with the next one.
    private static let chunkLimit = 200

    /// Removes expired days, and then the oldest reports beyond the limits. A day expires when its last second does.
    ///
    /// With several collectors, only one removes at a time; the others skip the step.
    func expire(at now: Timestamp, limits: ReportCollectorLimits) async throws(ReportCollectorError) {
        try await makePartitions(around: now)
        let oldest = now.advanced(bySeconds: -limits.storedFor.components.seconds)
        for day in try await storedDays() where day < oldest.day { try await drop(day) }
        try await enforce(limits)
        try await removeIdentities(before: now.advanced(bySeconds: -limits.identityLifetime))
        let hour = oldest.secondsSince1970.flooredHour
        let pace = now.advanced(bySeconds: -7_200).paceSlot
        try await write { connection throws(PostgreSQLError) in
            _ = try connection.run([.begin])
            _ = try connection.commit(
                after: [
                    PostgreSQLStatement(
                        "removeIncidents",
                        """
                        DELETE FROM incident WHERE id IN (
                            SELECT id FROM incident WHERE last_seen < $1 FOR UPDATE SKIP LOCKED)
                        """, [.integer(oldest.secondsSince1970)]),
                    PostgreSQLStatement(
                        "removeHours",
                        """
                        DELETE FROM incident_hour WHERE (incident_id, hour) IN (
                            SELECT incident_id, hour FROM incident_hour WHERE hour < $1 FOR UPDATE SKIP LOCKED)
                        """, [.integer(hour)]),
                    PostgreSQLStatement("removePace", "DELETE FROM report_pace WHERE slot < $1", [.integer(pace)]),
                    PostgreSQLNotices.expire(at: now), Self.limitIncidents(to: limits.incidents),
                ] + Self.expireRollouts(at: now, before: oldest))
        }
    }

    /// Makes the partitions of the day of `now` and of the next two days, so that no batch has to wait for one.
    func makePartitions(around now: Timestamp) async throws(ReportCollectorError) {
        for offset in Int64(0)...2 { try await makePartition(now.day + offset) }
    }

    /// Runs the transaction of a batch after it has made the partitions of the batch's days.
    ///
    /// Another collector may have removed a day, for example because its clock is ahead. The partitions are then made
    /// again.
    func withPartitions<Value: Sendable>(
        for batch: [IncomingReport],
        _ body: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) async throws(ReportCollectorError) -> Value {
        let batchDays = Set(batch.map(\.receivedAt.day))
        for day in batchDays.sorted() { try await makePartition(day) }
        do throws(ReportCollectorError) {
            return try await write(body)
        } catch {
            guard (error.underlying as? PostgreSQLError)?.state == Self.noPartition else { throw error }
        }
        days.withLock { $0.subtract(batchDays) }
        for day in batchDays.sorted() { try await makePartition(day) }
        return try await write(body)
    }

    /// The SQLSTATE of a row without a partition: a violated check.
    private static let noPartition = "23514"

    private func makePartition(_ day: Int64) async throws(ReportCollectorError) {
        guard !days.withLock({ $0.contains(day) }) else { return }
        let (table, start) = (Self.table(day), day * 86_400)
        try await write { connection throws(PostgreSQLError) in
            try connection.simple("BEGIN; SELECT pg_advisory_xact_lock(\(PostgreSQLMigration.lock))")
            // Attaching a table locks less than creating it as a partition: batches continue meanwhile.
            try connection.simple(
                """
                DO $$ BEGIN
                    IF to_regclass('\(table)') IS NULL THEN
                        CREATE TABLE \(table) (
                            LIKE report INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING COMPRESSION,
                            CHECK (received_at >= \(start) AND received_at < \(start + 86_400)));
                        ALTER TABLE report ATTACH PARTITION \(table) FOR VALUES FROM (\(start)) TO (\(start + 86_400));
                    END IF;
                END $$;
                COMMIT
                """)
        }
        days.withLock { _ = $0.insert(day) }
    }

    private static func table(_ day: Int64) -> String { day < 0 ? "report_before_\(-day)" : "report_\(day)" }

    /// Returns the days that have reports, the oldest first.
    private func storedDays() async throws(ReportCollectorError) -> [Int64] {
        try await read { connection throws(PostgreSQLError) in
            try connection.run(
                PostgreSQLStatement("storedDays", "SELECT DISTINCT day FROM report_total ORDER BY day")
            ).map { row throws(PostgreSQLError) in try row.integer(0) }
        }
    }

    /// Removes all reports of a day. Skips the day if another collector removes reports, or if a long statement reads
    /// them: the next expiry removes it.
    private func drop(_ day: Int64) async throws(ReportCollectorError) {
        let table = Self.table(day)
        // Another collector may use the day again, for example after its clock went back.
        days.withLock { _ = $0.remove(day) }
        do throws(PostgreSQLError) {
            try await client.run { connection throws(PostgreSQLError) in
                let locked = try connection.run([.begin, Self.tryLock])
                guard try locked.last?.first?.integer(0) == 1 else {
                    try connection.simple("ROLLBACK")
                    return
                }
                try connection.simple("SET LOCAL lock_timeout = '2s'; DROP TABLE IF EXISTS \(table)")
                _ = try connection.commit(after: [
                    PostgreSQLStatement("removeTotal", "DELETE FROM report_total WHERE day = $1", [.integer(day)])
                ])
            }
        } catch {
            guard error.code != .conflict else { return }
            throw ReportCollectorError(error, writing: true)
        }
    }

    private static var tryLock: PostgreSQLStatement {
        PostgreSQLStatement(
            "tryLock", "SELECT pg_try_advisory_xact_lock($1)::int", [.integer(PostgreSQLMigration.lock)])
    }
}

// MARK: - Identities

/// The identities of reports. They outlive the reports, so that a report whose answer was lost is not counted again.
extension PostgreSQLReportStore {
    /// Removes the oldest identities beyond the limit before a batch is stored. The identities of the batch do not
    /// count yet, because some of its reports may be repetitions.
    private func limitIdentities(
        before batch: [IncomingReport], limits: ReportCollectorLimits
    ) async throws(ReportCollectorError) {
        func surplus() -> Int64 { level.withLock { $0.identities } - Int64(limits.identities) }
        guard let now = batch.map(\.receivedAt).max(), surplus() > 0 else { return }
        // Other collectors may have removed some.
        _ = try await refreshLevel()
        guard surplus() > 0 else { return }
        // Some more, so that not every batch has to remove identities.
        let wanted = min(surplus() + Int64(limits.identities) / 1_000, Self.chunk)
        let before = now.advanced(bySeconds: -ReportCollectorLimits.shortestIdentityTime)
        let removed = try await removeIdentities(wanted, before: before)
        let needed = min(surplus(), wanted)
        _ = try await refreshLevel()
        // After the limit was lowered, each batch removes a part of the surplus.
        guard removed >= needed || surplus() <= 0 else { throw ReportCollectorError.identitiesFull }
    }

    /// Removes expired identities in transactions of their own.
    private func removeIdentities(before time: Timestamp) async throws(ReportCollectorError) {
        for _ in 0..<Self.chunkLimit {
            guard try await removeIdentities(Self.chunk, before: time) >= Self.chunk else { return }
        }
    }

    /// Removes at most `count` identities, the oldest first. Returns how many were removed. Skips those that a batch or
    /// another collector has locked.
    private func removeIdentities(_ count: Int64, before time: Timestamp) async throws(ReportCollectorError) -> Int64 {
        try await write { connection throws(PostgreSQLError) in
            try connection.run(
                PostgreSQLStatement(
                    "removeIdentities", Self.removeIdentities, [.integer(time.secondsSince1970), .integer(count)])
            ).first?.integer(0) ?? 0
        }
    }

    /// Counts the removed identities negatively. No collector adds to this row, so batches do not wait for it.
    private static let removeIdentities = """
        WITH removed AS (
            DELETE FROM report_identity WHERE identity IN (
                SELECT identity FROM report_identity WHERE received_at <= $1 ORDER BY received_at LIMIT $2
                FOR UPDATE SKIP LOCKED)
            RETURNING 1
        ), counted AS (
            INSERT INTO identity_total AS total (shard, identities) SELECT -1, -count(*) FROM removed
            ON CONFLICT (shard) DO UPDATE SET identities = total.identities + excluded.identities
        )
        SELECT count(*) FROM removed
        """
}

// MARK: - The limits of size

extension PostgreSQLReportStore {
    /// Removes the oldest reports and identities if the batch would exceed a limit.
    ///
    /// - Throws: ``ReportCollectorError/Code/databaseFull`` if the limits are far exceeded, because removing failed;
    ///   ``ReportCollectorError/Code/identitiesFull`` if too many identities are too recent to be removed.
    func makeRoom(for batch: [IncomingReport], limits: ReportCollectorLimits) async throws(ReportCollectorError) {
        try await limitIdentities(before: batch, limits: limits)
        let size = batch.reduce(Int64(0)) { $0 + Int64($1.size) }
        let added = Level(reports: Int64(batch.count), bytes: size)
        let level = level.withLock { $0 }
        guard level.reports + added.reports > Int64(limits.storedReports) || level.bytes + size > limits.storedBytes
        else { return }
        try await enforce(limits, added: added)
        let after = self.level.withLock { $0 }
        guard after.reports / 5 * 4 <= Int64(limits.storedReports), after.bytes / 5 * 4 <= limits.storedBytes else {
            throw ReportCollectorError(
                .databaseFull, "The database has more reports than the limits allow, and cannot remove older ones.")
        }
    }

    /// Reads the number and the size of the stored reports.
    func refreshLevel() async throws(ReportCollectorError) -> Level {
        let level = try await read { connection throws(PostgreSQLError) in
            let row = try connection.run(Self.sizeStatement).first
            return Level(
                reports: try row?.integer(0) ?? 0, bytes: try row?.integer(1) ?? 0,
                identities: try row?.integer(2) ?? 0)
        }
        self.level.withLock { $0 = level }
        return level
    }

    /// Removes the oldest reports until the limits are met, with room for `added`.
    private func enforce(_ limits: ReportCollectorLimits, added: Level = Level()) async throws(ReportCollectorError) {
        for _ in 0..<Self.chunkLimit {
            let level = try await refreshLevel()
            let reports = level.reports + added.reports - Int64(limits.storedReports)
            let bytes = level.bytes + added.bytes - limits.storedBytes
            guard level.reports > 0, reports > 0 || bytes > 0 else { return }
            // One hundredth more, so that not every batch has to remove reports.
            let average = max(1, level.bytes / level.reports)
            let surplus = max(reports, bytes > 0 ? bytes / average + 1 : 0) + level.reports / 100
            guard try await removeOldest(surplus) else { return }
        }
    }

    /// Removes a number of the oldest reports, or a whole day if it has no more than that. Returns `false` if another
    /// collector removes reports at the same time.
    private func removeOldest(_ count: Int64) async throws(ReportCollectorError) -> Bool {
        let oldest = try await read { connection throws(PostgreSQLError) -> Int64? in
            let row = try connection.run(
                PostgreSQLStatement(
                    "oldestDay",
                    "SELECT day, sum(reports)::bigint FROM report_total GROUP BY day ORDER BY day LIMIT 1")
            ).first
            guard let row else { return nil }
            return try row.integer(1) <= count ? try row.integer(0) : nil
        }
        if let oldest {
            try await drop(oldest)
            return true
        }
        return try await write { connection throws(PostgreSQLError) in
            let locked = try connection.run([.begin, Self.tryLock])
            guard try locked.last?.first?.integer(0) == 1 else {
                try connection.simple("ROLLBACK")
                return false
            }
            _ = try connection.commit(after: [
                PostgreSQLStatement(
                    "removeOldest", Self.removeOldest, [.integer(min(count, Self.chunk))])
            ])
            return true
        }
    }

    /// Removes reports, and counts them negatively. No collector adds to this row of the totals,
    /// so batches do not wait for it.
    private static let removeOldest = """
        WITH removed AS (
            DELETE FROM report USING (SELECT id, received_at FROM report ORDER BY id LIMIT $1) AS oldest
            WHERE report.id = oldest.id AND report.received_at = oldest.received_at
            RETURNING report.id, report.received_at, size
        )
        INSERT INTO report_total AS total (day, shard, reports, bytes)
        SELECT received_at / 86400 AS day, -1, -count(*), -sum(size)::bigint FROM removed GROUP BY day ORDER BY day
        ON CONFLICT (day, shard) DO UPDATE SET reports = total.reports + excluded.reports,
            bytes = total.bytes + excluded.bytes
        """
}

#endif
