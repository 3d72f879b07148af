import ChatServerCore
import GRDB

/// What a server keeps, in SQLite: one connection, every commit on the disk before anybody hears of it.
///
/// Calls block on the disk. They are made on threads that may block, never on the cooperative pool.
struct ChatServerStore: Sendable {
    /// Tells databases of this server from others ("HFCD").
    static let applicationID: Int32 = 0x4846_4344

    let queue: DatabaseQueue

    /// Opens a database file, or makes one; without a path it lives in memory and ends with the store.
    ///
    /// Throws ``ChatDevServerError/Code/unreadableDatabase`` for a file that is no database, is one of another program or
    /// of a newer server, or lies where nothing can be written.
    init(path: String?) throws(ChatDevServerError) {
        do {
            var configuration = Configuration()
            configuration.label = "ChatServerStore"
            configuration.prepareDatabase { database in
                // FULL keeps what was acknowledged through a power cut as well (with WAL, NORMAL would not).
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try database.execute(sql: "PRAGMA foreign_keys = ON")
            }
            if let path {
                queue = try DatabaseQueue(path: path, configuration: configuration)
                try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            } else {
                queue = try DatabaseQueue(configuration: configuration)
            }
            try queue.write(Self.claim)
            try Self.migrator.migrate(queue)
        } catch let error as ChatDevServerError {
            throw error
        } catch {
            throw ChatDevServerError(
                .unreadableDatabase, reason: "The database \(path ?? "in memory") cannot be opened: \(error).",
                path: path, underlying: error)
        }
    }

    /// A fresh database becomes ours; one of somebody else, or of a newer server, is left alone.
    private static func claim(_ database: Database) throws {
        let identifier = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") == 0
        guard identifier == applicationID || (identifier == 0 && isEmpty) else {
            throw ChatDevServerError(
                .unreadableDatabase, reason: "The database belongs to another program.")
        }
        guard try !migrator.hasBeenSuperseded(database) else {
            throw ChatDevServerError(
                .unreadableDatabase, reason: "The database was made by a newer version of this server.")
        }
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    }

    /// Writes all changes of one turn, or none.
    func commit(_ writes: [ServerWrite]) throws(ChatDevServerError) {
        do {
            try queue.write { database in
                for write in writes { try Self.apply(write, to: database) }
            }
        } catch {
            throw ChatDevServerError(
                .databaseWriteFailed, reason: "The database cannot be written: \(error).", underlying: error)
        }
    }

    /// Reads all that an earlier run has kept.
    func restore() throws(ChatDevServerError) -> ServerSnapshot {
        do {
            return try queue.read { database in
                try ServerSnapshot(
                    clients: ClientRecord.fetchAll(from: database), devices: DeviceRecord.fetchAll(from: database),
                    messages: StoredMessage.fetchAll(from: database))
            }
        } catch {
            throw ChatDevServerError(
                .unreadableDatabase, reason: "The database cannot be read: \(error).", underlying: error)
        }
    }

    /// Closes the file. Later calls fail.
    func close() {
        // A close that fails leaves the file to the end of the process; everything in it is committed.
        try? queue.close()
    }
}
