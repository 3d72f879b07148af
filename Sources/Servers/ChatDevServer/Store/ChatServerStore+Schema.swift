import GRDB

extension ChatServerStore {
    /// The migrations from an empty database to the current schema. Never change a released migration.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 conversations") { database in
            try database.execute(
                sql: """
                    CREATE TABLE client (
                        position INTEGER PRIMARY KEY,
                        clientID TEXT NOT NULL UNIQUE,
                        name TEXT,
                        data TEXT,
                        locale TEXT,
                        hasOperator INTEGER NOT NULL,
                        threadID INTEGER NOT NULL,
                        isThreadOpen INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE device (
                        position INTEGER PRIMARY KEY,
                        address TEXT NOT NULL UNIQUE,
                        clientID TEXT NOT NULL REFERENCES client (clientID),
                        pushToken TEXT
                    ) STRICT;
                    CREATE TABLE message (
                        sequence INTEGER PRIMARY KEY,
                        clientID TEXT NOT NULL REFERENCES client (clientID),
                        messageID TEXT NOT NULL UNIQUE,
                        uuid TEXT NOT NULL,
                        isFromClient INTEGER NOT NULL,
                        sentAt INTEGER NOT NULL,
                        status TEXT NOT NULL,
                        isInHistory INTEGER NOT NULL,
                        content TEXT NOT NULL,
                        UNIQUE (clientID, uuid)
                    ) STRICT;
                    CREATE TABLE file (
                        fileID TEXT NOT NULL PRIMARY KEY,
                        name TEXT NOT NULL,
                        type TEXT NOT NULL,
                        size INTEGER NOT NULL
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("2 operators, blocked clients, untold changes") { database in
            try database.execute(
                sql: """
                    ALTER TABLE client ADD COLUMN operator TEXT;
                    ALTER TABLE client ADD COLUMN isBlocked INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE message ADD COLUMN hasUntoldChange INTEGER NOT NULL DEFAULT 0;
                    """)
        }
        migrator.registerMigration("3 the operator desk") { database in
            try database.execute(
                sql: """
                    CREATE TABLE deskAssignment (
                        clientID TEXT NOT NULL PRIMARY KEY REFERENCES client (clientID),
                        operatorID TEXT NOT NULL,
                        operatorName TEXT NOT NULL,
                        since INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE deskNote (
                        position INTEGER PRIMARY KEY,
                        noteID TEXT NOT NULL,
                        clientID TEXT NOT NULL REFERENCES client (clientID),
                        operatorID TEXT NOT NULL,
                        operatorName TEXT NOT NULL,
                        text TEXT NOT NULL,
                        writtenAt INTEGER NOT NULL,
                        UNIQUE (clientID, noteID)
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("4 files of unsent replies") { database in
            try database.execute(sql: "CREATE TABLE unsentFile (fileID TEXT NOT NULL PRIMARY KEY) STRICT;")
        }
        return migrator
    }
}
