import GRDB

extension ChatServerStore {
    /// Stores an uploaded file's metadata. Blocks on the disk.
    func add(_ file: FileRecord) throws(ChatDevServerError) {
        try write { database in
            try database.execute(
                sql: "INSERT INTO file (fileID, name, type, size) VALUES (?, ?, ?, ?)",
                arguments: [file.fileID, file.name, file.type, file.size])
        }
    }

    /// Returns the metadata of the file with this id. Blocks on the disk.
    func file(_ fileID: String) throws(ChatDevServerError) -> FileRecord? {
        try read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM file WHERE fileID = ?", arguments: [fileID]).map { row in
                FileRecord(fileID: row["fileID"], name: row["name"], type: row["type"], size: row["size"])
            }
        }
    }

    // MARK: Files of unsent replies

    /// Marks a file as unsent, before its contents are written. The message that contains the file removes the mark.
    /// Blocks on the disk.
    func markUnsent(_ fileID: String) throws(ChatDevServerError) {
        try write { try $0.execute(sql: "INSERT INTO unsentFile (fileID) VALUES (?)", arguments: [fileID]) }
    }

    /// Removes the metadata of those of these files that are still unsent; `nil` stands for all files. The marks stay
    /// until ``removeUnsentMarks(_:)``, so that a crash in between leaves no contents behind. Blocks on the disk.
    ///
    /// Returns the ids of the unsent files, and the total size of those that were complete.
    func removeUnsent(_ fileIDs: [String]?) throws(ChatDevServerError) -> (fileIDs: [String], size: Int64) {
        try write { database in
            var (unsent, size) = (try String.fetchAll(database, sql: "SELECT fileID FROM unsentFile"), Int64(0))
            if let fileIDs { unsent.removeAll { !fileIDs.contains($0) } }
            for fileID in unsent {
                size +=
                    try Int64.fetchOne(database, sql: "SELECT size FROM file WHERE fileID = ?", arguments: [fileID])
                    ?? 0
                try database.execute(sql: "DELETE FROM file WHERE fileID = ?", arguments: [fileID])
            }
            return (unsent, size)
        }
    }

    /// Removes the marks of files whose contents are removed. Blocks on the disk.
    func removeUnsentMarks(_ fileIDs: [String]) throws(ChatDevServerError) {
        try write { try Self.removeUnsentMarks(fileIDs, from: $0) }
    }

    static func removeUnsentMarks(_ fileIDs: [String], from database: Database) throws {
        for fileID in fileIDs {
            try database.execute(sql: "DELETE FROM unsentFile WHERE fileID = ?", arguments: [fileID])
        }
    }

    // MARK: Space

    /// Returns the total size of all files in bytes. Blocks on the disk.
    func storedBytes() throws(ChatDevServerError) -> Int64 {
        try read { try Int64.fetchOne($0, sql: "SELECT COALESCE(SUM(size), 0) FROM file") ?? 0 }
    }
}
