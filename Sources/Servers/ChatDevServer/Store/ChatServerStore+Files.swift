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

    /// Returns the total size of all files in bytes. Blocks on the disk.
    func storedBytes() throws(ChatDevServerError) -> Int64 {
        try read { try Int64.fetchOne($0, sql: "SELECT COALESCE(SUM(size), 0) FROM file") ?? 0 }
    }
}
