import ChatServerCore
import GRDB
import Synchronization

/// What a server keeps, in SQLite: one connection, every commit on the disk before anybody hears of it.
///
/// Calls block on the disk. They are made on threads that may block, never on the cooperative pool.
final class ChatServerStore: Sendable {
    /// Tells databases of this server from others ("HFCD").
    static let applicationID: Int32 = 0x4846_4344

    /// `nil` when the store is closed: GRDB does not survive a call on a closed connection.
    private let queue: Mutex<DatabaseQueue?>

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
            let queue: DatabaseQueue
            if let path {
                guard !path.isEmpty else {
                    throw ChatDevServerError(
                        .unreadableDatabase, reason: "The path of the database is empty.", path: path)
                }
                PrivateFile.create(path)
                queue = try DatabaseQueue(path: path, configuration: configuration)
                // SQLite answers with the mode it has taken: a path that stands for memory is no error to it.
                let mode = try queue.writeWithoutTransaction {
                    try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") ?? "none"
                }
                guard mode.lowercased() == "wal" else {
                    throw ChatDevServerError(
                        .unreadableDatabase,
                        reason: "The database cannot be kept safely: SQLite's journal there is \"\(mode)\", not WAL.",
                        path: path)
                }
            } else {
                queue = try DatabaseQueue(configuration: configuration)
            }
            try queue.write(Self.claim)
            // It is ours now. SQLite gives the files beside it its mode, but they may be as old as it is.
            if let path { for suffix in ["", "-wal", "-shm"] { try PrivateFile.restrict(path + suffix) } }
            try Self.migrator.migrate(queue)
            self.queue = Mutex(queue)
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
        try write { database in
            for write in writes { try Self.apply(write, to: database) }
        }
    }

    /// Reads all that an earlier run has kept.
    func restore() throws(ChatDevServerError) -> ServerSnapshot {
        try read { database in
            try ServerSnapshot(
                clients: ClientRecord.fetchAll(from: database), devices: DeviceRecord.fetchAll(from: database),
                messages: StoredMessage.fetchAll(from: database))
        }
    }

    /// Closes the file. Later calls fail.
    func close() {
        queue.withLock { queue in
            // A close that fails leaves the file to the end of the process; everything in it is committed.
            try? queue?.close()
            queue = nil
        }
    }

    // MARK: Access

    /// One transaction that reads.
    func read<R: Sendable>(_ body: (Database) throws -> R) throws(ChatDevServerError) -> R {
        try access(.unreadableDatabase, "The database cannot be read") { try $0.read(body) }
    }

    /// One transaction that writes.
    func write<R: Sendable>(_ body: (Database) throws -> R) throws(ChatDevServerError) -> R {
        try access(.databaseWriteFailed, "The database cannot be written") { try $0.write(body) }
    }

    private func access<R: Sendable>(
        _ code: ChatDevServerError.Code, _ sentence: String, _ body: (DatabaseQueue) throws -> R
    ) throws(ChatDevServerError) -> R {
        do {
            return try queue.withLock { queue in
                guard let queue else { throw ChatDevServerError(code, reason: "\(sentence): it is closed.") }
                return try body(queue)
            }
        } catch let error as ChatDevServerError {
            throw error
        } catch {
            throw ChatDevServerError(code, reason: "\(sentence): \(error).", underlying: error)
        }
    }
}
