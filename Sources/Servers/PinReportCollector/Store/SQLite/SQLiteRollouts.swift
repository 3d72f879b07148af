import GRDB
import HoldfastTrust
import PinReports

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The counts and the decisions of roll-outs. A value for one transaction.
struct SQLiteRollouts {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Adds installations to a count of a roll-out.
    func apply(_ delta: RolloutDelta) throws {
        let mark = delta.mark
        let key = [
            mark.rollout.application.databaseValue, mark.rollout.version.databaseValue,
            mark.stage.secondsSince1970.databaseValue, (mark.isCohort ? 1 : 0).databaseValue,
        ]
        let stored = try Data.fetchOne(
            database,
            sql: "SELECT clients FROM rolloutFailure WHERE app = ? AND version = ? AND stage = ? AND isCohort = ?",
            arguments: StatementArguments(key))
        var clients = stored.flatMap { ClientSketch(bytes: Array($0)) } ?? ClientSketch()
        for client in delta.clients { clients.insert(client) }
        try database.execute(
            sql: """
                INSERT INTO rolloutFailure (app, version, stage, isCohort, clients, seenAt) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET clients = excluded.clients, seenAt = max(seenAt, excluded.seenAt)
                """,
            arguments: StatementArguments(
                key + [clients.bytes.data.databaseValue, delta.lastSeen.secondsSince1970.databaseValue]))
    }

    /// Removes counts that are older than reports may be, and old decisions.
    func expire(at now: Timestamp, before oldest: Int64) throws {
        try database.execute(sql: "DELETE FROM rolloutFailure WHERE seenAt < ?", arguments: [oldest])
        try database.execute(
            sql: "DELETE FROM rolloutStop WHERE decidedAt < ?",
            arguments: [now.advanced(bySeconds: -RolloutRecord.lifetime).secondsSince1970])
    }

    /// Changes what is stored about a roll-out. The first of equal changes has an effect.
    func change(_ id: RolloutID, _ change: RolloutChange) throws {
        switch change {
        case .stop(let stop):
            try database.execute(
                sql: """
                    INSERT INTO rolloutStop (app, version, stage, decidedAt, cohortFailures, cohortClients,
                        baselineFailures, baselineClients) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                    """,
                arguments: [
                    id.application, id.version, stop.stage.secondsSince1970, stop.decidedAt.secondsSince1970,
                    stop.cohortFailures, stop.cohortClients, stop.baselineFailures, stop.baselineClients,
                ])
        case .halt(let bytes, let serial, let replacing):
            try database.execute(
                sql: """
                    UPDATE rolloutStop SET halt = ?, haltSerial = ?
                    WHERE app = ? AND version = ? AND haltSerial = ? AND releasedAt IS NULL
                    """, arguments: [bytes.data, serial, id.application, id.version, replacing])
        case .release(let time):
            try database.execute(
                sql: "UPDATE rolloutStop SET releasedAt = coalesce(releasedAt, ?) WHERE app = ? AND version = ?",
                arguments: [time.secondsSince1970, id.application, id.version])
        }
    }

    /// Returns what is stored about a roll-out.
    func record(_ id: RolloutID) throws -> RolloutRecord {
        var record = RolloutRecord()
        let counts = try Row.fetchAll(
            database,
            sql: """
                SELECT stage, isCohort, clients FROM rolloutFailure WHERE app = ? AND version = ?
                ORDER BY stage, isCohort
                """, arguments: [id.application, id.version])
        record.counts = counts.map { row in
            let bytes: Data = row["clients"]
            let (stage, isCohort): (Int64, Int) = (row["stage"], row["isCohort"])
            return RolloutCount(
                stage: Timestamp(secondsSince1970: stage), isCohort: isCohort == 1,
                ClientSketch(bytes: Array(bytes)) ?? ClientSketch())
        }
        let row = try Row.fetchOne(
            database, sql: "SELECT * FROM rolloutStop WHERE app = ? AND version = ?",
            arguments: [id.application, id.version])
        guard let row else { return record }
        record.stop = RolloutStop(
            stage: Timestamp(secondsSince1970: row["stage"]), decidedAt: Timestamp(secondsSince1970: row["decidedAt"]),
            cohortFailures: row["cohortFailures"], cohortClients: row["cohortClients"],
            baselineFailures: row["baselineFailures"], baselineClients: row["baselineClients"])
        let (halt, released): (Data?, Int64?) = (row["halt"], row["releasedAt"])
        record.halt = halt.map { Array($0) }
        record.haltSerial = row["haltSerial"]
        record.releasedAt = released.map { Timestamp(secondsSince1970: $0) }
        return record
    }
}

extension RolloutCount {
    init(stage: Timestamp, isCohort: Bool, _ clients: ClientSketch) {
        self.init(stage: stage, isCohort: isCohort, clients: clients.estimate, isExact: clients.isExact)
    }
}
