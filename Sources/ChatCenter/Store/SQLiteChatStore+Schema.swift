import GRDB

extension SQLiteChatStore {
    /// The shape of the database. A step that was released is never changed: the next one is added below.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

                    -- The row ids of messages and attachments keep the order of their first commit.
                    CREATE TABLE message (
                        id TEXT NOT NULL PRIMARY KEY,
                        serverID TEXT,
                        time INTEGER NOT NULL,
                        sequence INTEGER NOT NULL,
                        record BLOB NOT NULL,
                        isQueued INTEGER NOT NULL,
                        -- The text in lower case, for the search.
                        words TEXT NOT NULL
                    );
                    CREATE INDEX messageByPosition ON message (time, sequence);
                    CREATE INDEX messageByServerID ON message (serverID) WHERE serverID IS NOT NULL;
                    CREATE INDEX messageQueued ON message (time, sequence) WHERE isQueued;

                    CREATE TABLE attachment (
                        id TEXT NOT NULL PRIMARY KEY,
                        record BLOB NOT NULL
                    );
                    """)
        }
        return migrator
    }

    /// Whether no row is left.
    static func isEmpty(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT NOT EXISTS (SELECT 1 FROM meta) AND NOT EXISTS (SELECT 1 FROM message)
                    AND NOT EXISTS (SELECT 1 FROM attachment)
                """) ?? false
    }
}
