import GRDB
import HoldfastTrust
import PinReports

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The schema of the collector's SQLite database.
enum SQLiteReportSchema {
    /// The migrations from an empty database to the current schema. Never change a released migration.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 reports") { try $0.execute(sql: reports) }
        migrator.registerMigration("2 incidents") { database in
            try database.execute(sql: incidents)
            try countStoredReports(in: database)
        }
        migrator.registerMigration("3 roll-outs") { try $0.execute(sql: rollouts) }
        migrator.registerMigration("4 identities") { database in
            try database.execute(sql: identities)
            try copyIdentities(in: database)
        }
        migrator.registerMigration("5 notices") { try $0.execute(sql: notices) }
        return migrator
    }

    /// Triggers maintain the totals: counting 100,000 rows for each report would take too long.
    private static let reports = """
        CREATE TABLE report (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            receivedAt INTEGER NOT NULL,
            identity TEXT NOT NULL,
            digest BLOB NOT NULL,
            host TEXT NOT NULL,
            notedHost TEXT NOT NULL,
            result INTEGER,
            size INTEGER NOT NULL,
            details TEXT NOT NULL,
            body BLOB NOT NULL
        ) STRICT;
        CREATE INDEX reportByIdentity ON report (identity, id);
        CREATE INDEX reportByHost ON report (host, id);
        CREATE INDEX reportByTime ON report (receivedAt);
        CREATE TABLE total (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            reports INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT;
        INSERT INTO total VALUES (1, 0, 0);
        CREATE TRIGGER reportAdded AFTER INSERT ON report BEGIN
            UPDATE total SET reports = reports + 1, bytes = bytes + NEW.size;
        END;
        CREATE TRIGGER reportRemoved AFTER DELETE ON report BEGIN
            UPDATE total SET reports = reports - 1, bytes = bytes - OLD.size;
        END;
        """

    /// An empty body stands for a body that was left out under overload: SQLite cannot remove the constraint of the
    /// column without a copy of the table.
    private static let incidents = """
        CREATE TABLE incident (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            key BLOB NOT NULL UNIQUE,
            app TEXT NOT NULL,
            host TEXT NOT NULL,
            result INTEGER,
            seenPin TEXT,
            state TEXT NOT NULL,
            changedAt INTEGER NOT NULL,
            firstSeen INTEGER NOT NULL,
            lastSeen INTEGER NOT NULL,
            count INTEGER NOT NULL,
            clients BLOB NOT NULL
        ) STRICT;
        CREATE INDEX incidentByTime ON incident (lastSeen, id);
        CREATE INDEX incidentByCount ON incident (count, lastSeen);
        CREATE TABLE incidentFacet (
            incidentID INTEGER NOT NULL REFERENCES incident ON DELETE CASCADE,
            facet INTEGER NOT NULL,
            value TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (incidentID, facet, value)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE incidentHour (
            incidentID INTEGER NOT NULL REFERENCES incident ON DELETE CASCADE,
            hour INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (incidentID, hour)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX incidentHourByTime ON incidentHour (hour);
        CREATE TABLE incidentChange (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            incidentID INTEGER NOT NULL REFERENCES incident ON DELETE CASCADE,
            state TEXT NOT NULL,
            changedAt INTEGER NOT NULL,
            person TEXT NOT NULL
        ) STRICT;
        CREATE INDEX incidentChangeByIncident ON incidentChange (incidentID, id);
        ALTER TABLE report ADD COLUMN incidentID INTEGER;
        CREATE INDEX reportByIncident ON report (incidentID, id);
        """

    /// The failures of a roll-out are counted apart from the incidents, which do not know the stages.
    private static let rollouts = """
        CREATE TABLE rolloutFailure (
            app TEXT NOT NULL,
            version INTEGER NOT NULL,
            stage INTEGER NOT NULL,
            isCohort INTEGER NOT NULL,
            clients BLOB NOT NULL,
            seenAt INTEGER NOT NULL,
            PRIMARY KEY (app, version, stage, isCohort)
        ) STRICT;
        CREATE TABLE rolloutStop (
            app TEXT NOT NULL,
            version INTEGER NOT NULL,
            stage INTEGER NOT NULL,
            decidedAt INTEGER NOT NULL,
            cohortFailures INTEGER NOT NULL,
            cohortClients INTEGER NOT NULL,
            baselineFailures INTEGER NOT NULL,
            baselineClients INTEGER NOT NULL,
            halt BLOB,
            haltSerial INTEGER NOT NULL DEFAULT 0,
            releasedAt INTEGER,
            PRIMARY KEY (app, version)
        ) STRICT;
        """

    /// Identities have a table of their own, because they outlive the reports. The column `identity` of reports is no
    /// longer used: SQLite cannot remove it without a copy of the table. `root` is the digest of a root's name.
    private static let identities = """
        CREATE TABLE reportIdentity (
            identity BLOB PRIMARY KEY,
            digest BLOB NOT NULL,
            reportID INTEGER NOT NULL,
            receivedAt INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reportIdentityByTime ON reportIdentity (receivedAt);
        ALTER TABLE total ADD COLUMN identities INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE reportPace (
            slot INTEGER PRIMARY KEY,
            reports INTEGER NOT NULL
        ) STRICT;
        INSERT INTO reportPace (slot, reports) SELECT receivedAt / 10, COUNT(*) FROM report
            WHERE receivedAt > (SELECT max(receivedAt) FROM report) - 7200 GROUP BY 1;
        DROP INDEX reportByIdentity;
        DROP INDEX reportByIncident;
        CREATE INDEX reportWithBody ON report (incidentID, id) WHERE length(body) > 0;
        DROP INDEX incidentByCount;
        ALTER TABLE incident ADD COLUMN root BLOB;
        CREATE INDEX incidentByRoot ON incident (root, lastSeen) WHERE root IS NOT NULL;
        """

    /// A notice is for the last change of an incident. The trigger records it in the transaction of the change.
    private static let notices = """
        CREATE TABLE webhookNotice (
            incidentID INTEGER PRIMARY KEY REFERENCES incident ON DELETE CASCADE,
            change TEXT NOT NULL,
            changedAt INTEGER NOT NULL,
            failures INTEGER NOT NULL DEFAULT 0,
            dueAt INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE webhookStart (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            startedAt INTEGER NOT NULL
        ) STRICT;
        CREATE TRIGGER incidentChanged AFTER INSERT ON incidentChange WHEN NEW.state IN ('new', 'cameBack') BEGIN
            INSERT INTO webhookNotice (incidentID, change, changedAt) VALUES (NEW.incidentID, NEW.state, NEW.changedAt)
            ON CONFLICT (incidentID) DO UPDATE SET change = excluded.change, changedAt = excluded.changedAt,
                failures = 0, dueAt = 0;
        END;
        """

    /// Copies the identities of the stored reports. If several reports have the same one, the newest report has it.
    private static func copyIdentities(in database: Database) throws {
        var last: Int64 = 0
        while true {
            let rows = try Row.fetchAll(
                database, sql: "SELECT id, receivedAt, identity, digest FROM report WHERE id > ? ORDER BY id LIMIT 500",
                arguments: [last])
            guard let end = rows.last else { break }
            last = end["id"]
            for row in rows {
                let (id, receivedAt): (Int64, Int64) = (row["id"], row["receivedAt"])
                let (identity, digest): (String, Data) = (row["identity"], row["digest"])
                try database.executeCached(
                    "INSERT OR REPLACE INTO reportIdentity (identity, digest, reportID, receivedAt) VALUES (?, ?, ?, ?)",
                    [
                        IncomingReport.identity(identity).data, digest.prefix(IncomingReport.identityBytes), id,
                        receivedAt,
                    ])
            }
        }
        try database.execute(sql: "UPDATE total SET identities = (SELECT COUNT(*) FROM reportIdentity)")
    }

    /// Counts the reports that an earlier version stored. A report that this version cannot read is not counted.
    private static func countStoredReports(in database: Database) throws {
        let limits = ReportCollectorLimits.unlimitedReport
        let stored = SQLiteIncidents(database)
        var last: Int64 = 0
        while true {
            let rows = try Row.fetchAll(
                database, sql: "SELECT id, receivedAt, body FROM report WHERE id > ? ORDER BY id LIMIT 500",
                arguments: [last])
            guard let end = rows.last else { return }
            last = end["id"]
            var counted: [ReportFacts] = []
            for row in rows {
                let body: Data = row["body"]
                guard let report = try? ReportReader.read(Array(body), limits: limits) else { continue }
                let facts = ReportFacts(report, receivedAt: Timestamp(secondsSince1970: row["receivedAt"]))
                counted.append(facts)
                let id: Int64 = row["id"]
                try database.execute(
                    sql: "UPDATE report SET incidentID = ? WHERE id = ?",
                    arguments: [try stored.id(of: facts), id])
            }
            for delta in IncidentDelta.all(counted) { try stored.apply(delta, hasRoots: false) }
        }
    }
}

extension ReportCollectorLimits {
    /// Limits that accept every report that an earlier collector stored under other limits.
    fileprivate static var unlimitedReport: PinReportLimits {
        var limits = PinReportLimits()
        limits.bodyBytes = .max
        limits.chainLength = .max
        limits.certificateBytes = .max
        limits.stringBytes = .max
        limits.pins = .max
        limits.unknownMembers = .max
        return limits
    }
}
