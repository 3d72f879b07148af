import GRDB

extension SQLiteChatStore {
    /// The migrations of the database. A released step is never changed; new steps are added at the end.
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
        // Moves the texts to a full-text index, and allows encrypted rows.
        migrator.registerMigration("2") { db in
            try db.execute(
                sql: """
                    -- There is a row if the store is sealed; only the right key opens it.
                    CREATE TABLE seal (id INTEGER PRIMARY KEY CHECK (id = 1), proof BLOB NOT NULL);

                    ALTER TABLE message RENAME TO oldMessage;
                    CREATE TABLE message (
                        id TEXT NOT NULL PRIMARY KEY,
                        serverID TEXT,
                        time INTEGER NOT NULL,
                        sequence INTEGER NOT NULL,
                        record BLOB NOT NULL,
                        isQueued INTEGER NOT NULL,
                        -- The row id in the search index, see MessageRow.
                        place INTEGER NOT NULL UNIQUE
                    );
                    """)
            try MessageRow.moveAll(from: "oldMessage", db)
            try db.execute(
                sql: """
                    DROP TABLE oldMessage;
                    CREATE INDEX messageByPosition ON message (time, sequence);
                    CREATE INDEX messageByServerID ON message (serverID) WHERE serverID IS NOT NULL;
                    CREATE INDEX messageQueued ON message (time, sequence) WHERE isQueued;
                    """)
        }
        return migrator
    }

    /// Returns whether the user has no rows.
    static func isEmpty(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT NOT EXISTS (SELECT 1 FROM meta) AND NOT EXISTS (SELECT 1 FROM message)
                    AND NOT EXISTS (SELECT 1 FROM attachment)
                """) ?? false
    }
}
