import GRDB
import ServerKit

/// The collector's SQLite database. It uses one connection. Every report is on the disk before its sender gets the
/// answer.
///
/// Calls block on the disk. Call them on threads that may block, never on the cooperative pool.
final class ReportStore: Sendable {
    /// The application id that identifies databases of collectors ("HFPR").
    static let applicationID: Int32 = 0x4846_5052

    private let database: ServerDatabase<ReportCollectorError>

    /// Opens or creates a database file; without a path, the database is in memory and ends with the store.
    ///
    /// Throws ``ReportCollectorError/Code/unreadableDatabase``.
    init(path: String?) throws(ReportCollectorError) {
        database = try ServerDatabase(
            path: path, label: "ReportStore", applicationID: Self.applicationID, owner: "the collector",
            migrator: Self.migrator)
    }

    /// Closes the file. Later calls fail.
    func close() { database.close() }

    /// Runs a read transaction.
    func read<R: Sendable>(_ body: (Database) throws -> R) throws(ReportCollectorError) -> R {
        try database.read(body)
    }

    /// Runs a write transaction.
    func write<R: Sendable>(_ body: (Database) throws -> R) throws(ReportCollectorError) -> R {
        try database.write(body)
    }
}

extension ReportStore {
    /// The migrations from an empty database to the current schema. Never change a released migration.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 reports") { database in
            // Triggers maintain the totals: counting 100,000 rows for each report would take too long.
            try database.execute(
                sql: """
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
                    """)
        }
        return migrator
    }
}
