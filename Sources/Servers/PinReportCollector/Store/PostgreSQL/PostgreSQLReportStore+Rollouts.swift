#if PostgreSQL

import HoldfastTrust
import PinReports
import PostgreSQLClient

/// The statements that count the failures of roll-outs in a batch.
struct RolloutChanges {
    private let deltas: [RolloutDelta]
    private let shard: Int64

    init(_ reports: [IncomingReport], shard: Int64) {
        deltas = RolloutDelta.all(reports)
        self.shard = shard
    }

    private var keys: [PostgreSQLValue] {
        [
            .texts(deltas.map(\.mark.rollout.application)), .integers(deltas.map(\.mark.rollout.version)),
            .integers(deltas.map(\.mark.stage.secondsSince1970)), .integers(deltas.map { $0.mark.isCohort ? 1 : 0 }),
        ]
    }

    /// Makes and locks the rows, and returns them. Empty without a change.
    var lock: [PostgreSQLStatement] {
        guard !deltas.isEmpty else { return [] }
        return [
            PostgreSQLStatement(
                "lockRollouts",
                """
                INSERT INTO rollout_failure AS known (app, version, stage, is_cohort, shard, clients, seen_at)
                SELECT app, version, stage, is_cohort, $6, '\\x00', seen_at
                FROM (SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
                    AS delta (app, version, stage, is_cohort, seen_at)
                    ORDER BY app, version, stage, is_cohort) AS delta
                ON CONFLICT (app, version, stage, is_cohort, shard) DO UPDATE
                    SET seen_at = greatest(known.seen_at, excluded.seen_at)
                RETURNING app, version, stage, is_cohort, clients
                """,
                keys + [.integers(deltas.map(\.lastSeen.secondsSince1970)), .integer(shard)])
        ]
    }

    /// Returns the statement that stores the changed counts.
    ///
    /// - Parameter rows: The answer to ``lock``; `nil` without a change.
    func statements(_ rows: PostgreSQLRows?) throws(PostgreSQLError) -> [PostgreSQLStatement] {
        guard let rows else { return [] }
        var known: [RolloutMark: ClientSketch] = [:]
        for (mark, clients) in try rows.map({ row throws(PostgreSQLError) in
            let id = RolloutID(application: try row.text(0), version: try row.integer(1))
            let mark = RolloutMark(
                rollout: id, stage: Timestamp(secondsSince1970: try row.integer(2)), isCohort: try row.integer(3) == 1)
            return (mark, ClientSketch(bytes: try row.bytes(4)) ?? ClientSketch())
        }) {
            known[mark] = clients
        }
        let sketches = deltas.map { delta in
            var clients = known[delta.mark] ?? ClientSketch()
            for client in delta.clients { clients.insert(client) }
            return clients.bytes
        }
        return [
            PostgreSQLStatement(
                "countRollouts",
                """
                UPDATE rollout_failure AS known SET clients = changed.clients
                FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])
                    AS changed (app, version, stage, is_cohort, clients)
                WHERE known.app = changed.app AND known.version = changed.version AND known.stage = changed.stage
                    AND known.is_cohort = changed.is_cohort AND known.shard = $6
                """,
                keys + [.byteStrings(sketches), .integer(shard)])
        ]
    }
}

extension PostgreSQLReportStore {
    /// Removes counts that are older than reports may be, and old decisions.
    static func expireRollouts(at now: Timestamp, before oldest: Timestamp) -> [PostgreSQLStatement] {
        [
            PostgreSQLStatement(
                "removeRolloutCounts",
                """
                DELETE FROM rollout_failure WHERE (app, version, stage, is_cohort, shard) IN (
                    SELECT app, version, stage, is_cohort, shard FROM rollout_failure WHERE seen_at < $1
                    FOR UPDATE SKIP LOCKED)
                """, [.integer(oldest.secondsSince1970)]),
            PostgreSQLStatement(
                "removeRolloutStops", "DELETE FROM rollout_stop WHERE decided_at < $1",
                [.integer(now.advanced(bySeconds: -RolloutRecord.lifetime).secondsSince1970)]),
        ]
    }

    func rollout(_ id: RolloutID) async throws(ReportCollectorError) -> RolloutRecord {
        try await read { connection throws(PostgreSQLError) in
            try Self.record(connection.run(Self.readStatements(id)))
        }
    }

    func change(
        _ id: RolloutID, _ change: RolloutChange
    ) async throws(ReportCollectorError) -> RolloutRecord {
        // A repetition has no effect, so that a lost connection is harmless.
        try await write { connection throws(PostgreSQLError) in
            try Self.record(
                Array(connection.run([Self.statement(id, change)] + Self.readStatements(id)).dropFirst()))
        }
    }

    private static func statement(_ id: RolloutID, _ change: RolloutChange) -> PostgreSQLStatement {
        let key: [PostgreSQLValue] = [.text(id.application), .integer(id.version)]
        switch change {
        case .stop(let stop):
            return PostgreSQLStatement(
                "stopRollout",
                """
                INSERT INTO rollout_stop (app, version, stage, decided_at, cohort_failures, cohort_clients,
                    baseline_failures, baseline_clients) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
                """,
                key + [
                    .integer(stop.stage.secondsSince1970), .integer(stop.decidedAt.secondsSince1970),
                    .integer(Int64(stop.cohortFailures)), .integer(Int64(stop.cohortClients)),
                    .integer(Int64(stop.baselineFailures)), .integer(Int64(stop.baselineClients)),
                ])
        case .halt(let bytes, let serial, let replacing):
            return PostgreSQLStatement(
                "haltRollout",
                """
                UPDATE rollout_stop SET halt = $3, halt_serial = $4
                WHERE app = $1 AND version = $2 AND halt_serial = $5 AND released_at IS NULL
                """, key + [.bytes(bytes), .integer(serial), .integer(replacing)])
        case .release(let time):
            return PostgreSQLStatement(
                "releaseRollout",
                "UPDATE rollout_stop SET released_at = coalesce(released_at, $3) WHERE app = $1 AND version = $2",
                key + [.integer(time.secondsSince1970)])
        }
    }

    private static func readStatements(_ id: RolloutID) -> [PostgreSQLStatement] {
        let key: [PostgreSQLValue] = [.text(id.application), .integer(id.version)]
        return [
            PostgreSQLStatement(
                "rolloutCounts",
                """
                SELECT stage, is_cohort, clients FROM rollout_failure WHERE app = $1 AND version = $2
                ORDER BY stage, is_cohort, shard
                """, key),
            PostgreSQLStatement(
                "rolloutStop",
                """
                SELECT stage, decided_at, cohort_failures, cohort_clients, baseline_failures, baseline_clients, halt,
                    halt_serial, released_at FROM rollout_stop WHERE app = $1 AND version = $2
                """, key),
        ]
    }

    private static func record(_ answers: [PostgreSQLRows]) throws(PostgreSQLError) -> RolloutRecord {
        guard answers.count == 2 else {
            throw PostgreSQLError(.unexpectedAnswer, "The record of a roll-out has another form than expected.")
        }
        var record = RolloutRecord()
        var merged: [(stage: Timestamp, isCohort: Bool, clients: ClientSketch)] = []
        for row in try answers[0].map({ row throws(PostgreSQLError) in
            (try row.integer(0), try row.integer(1) == 1, ClientSketch(bytes: try row.bytes(2)) ?? ClientSketch())
        }) {
            let stage = Timestamp(secondsSince1970: row.0)
            if let last = merged.indices.last, merged[last].stage == stage, merged[last].isCohort == row.1 {
                merged[last].clients.merge(row.2)
            } else {
                merged.append((stage, row.1, row.2))
            }
        }
        record.counts = merged.map { RolloutCount(stage: $0.stage, isCohort: $0.isCohort, $0.clients) }
        guard let row = answers[1].first else { return record }
        record.stop = RolloutStop(
            stage: Timestamp(secondsSince1970: try row.integer(0)),
            decidedAt: Timestamp(secondsSince1970: try row.integer(1)),
            cohortFailures: Int(clamping: try row.integer(2)), cohortClients: Int(clamping: try row.integer(3)),
            baselineFailures: Int(clamping: try row.integer(4)), baselineClients: Int(clamping: try row.integer(5)))
        record.halt = try row.optionalBytes(6)
        record.haltSerial = try row.integer(7)
        record.releasedAt = try row.optionalInteger(8).map { Timestamp(secondsSince1970: $0) }
        return record
    }
}

#endif
