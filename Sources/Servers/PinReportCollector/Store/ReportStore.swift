import GRDB
import Synchronization

/// What a collector keeps, in SQLite: one connection, every report on the disk before its sender hears of it.
///
/// Calls block on the disk. They are made on threads that may block, never on the cooperative pool.
final class ReportStore: Sendable {
    /// Tells databases of collectors from others ("HFPR").
    static let applicationID: Int32 = 0x4846_5052

    /// `nil` when the store is closed: GRDB does not survive a call on a closed connection.
    private let queue: Mutex<DatabaseQueue?>

    /// Opens a database file, or makes one; without a path it lives in memory and ends with the store.
    ///
    /// Throws ``ReportCollectorError/Code/unreadableDatabase``.
    init(path: String?) throws(ReportCollectorError) {
        do {
            var configuration = Configuration()
            configuration.label = "ReportStore"
            configuration.prepareDatabase { database in
                // FULL keeps what was acknowledged through a power cut as well (with WAL, NORMAL would not).
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
            let queue: DatabaseQueue
            if let path {
                // To SQLite both stand for a database that ends with the process.
                guard !path.isEmpty, !path.hasPrefix(":") else {
                    throw ReportCollectorError(.unreadableDatabase, "\"\(path)\" is no path of a database file.")
                }
                DatabaseFile.create(path)
                queue = try DatabaseQueue(path: path, configuration: configuration)
                try queue.writeWithoutTransaction { database in
                    // SQLite answers with the mode it has taken: a path that stands for memory, or a file system that
                    // cannot keep a log, is no error to it. What would be acknowledged there could be lost.
                    let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") ?? "none"
                    guard mode.lowercased() == "wal" else {
                        throw ReportCollectorError(
                            .unreadableDatabase,
                            "The database \(path) cannot be kept safely: SQLite's journal there is \"\(mode)\", not WAL."
                        )
                    }
                    // What a checkpoint leaves of the log, so that one long transaction does not cost its size for ever.
                    try database.execute(sql: "PRAGMA journal_size_limit = 16777216")
                }
            } else {
                queue = try DatabaseQueue(configuration: configuration)
            }
            try queue.write(Self.claim)
            try Self.migrator.migrate(queue)
            self.queue = Mutex(queue)
        } catch let error as ReportCollectorError {
            throw error
        } catch {
            throw ReportCollectorError(
                .unreadableDatabase, "The database \(path ?? "in memory") cannot be opened: \(error).",
                underlying: error)
        }
    }

    /// A fresh database becomes ours; one of somebody else, or of a newer collector, is left alone.
    private static func claim(_ database: Database) throws {
        let identifier = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") == 0
        guard identifier == applicationID || (identifier == 0 && isEmpty) else {
            throw ReportCollectorError(.unreadableDatabase, "The database belongs to another program.")
        }
        guard try !migrator.hasBeenSuperseded(database) else {
            throw ReportCollectorError(
                .unreadableDatabase, "The database was made by a newer version of the collector.")
        }
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    }

    /// Closes the file. Later calls fail.
    func close() {
        queue.withLock { queue in
            // A close that fails leaves the file to the end of the process; everything in it is committed.
            try? queue?.close()
            queue = nil
        }
    }

    /// One transaction that reads.
    func read<R: Sendable>(_ body: (Database) throws -> R) throws(ReportCollectorError) -> R {
        try access(.unreadableDatabase, "The database cannot be read") { try $0.read(body) }
    }

    /// One transaction that writes.
    func write<R: Sendable>(_ body: (Database) throws -> R) throws(ReportCollectorError) -> R {
        try access(.databaseWriteFailed, "The database cannot be written") { try $0.write(body) }
    }

    private func access<R: Sendable>(
        _ code: ReportCollectorError.Code, _ sentence: String, _ body: (DatabaseQueue) throws -> R
    ) throws(ReportCollectorError) -> R {
        do {
            return try queue.withLock { queue in
                guard let queue else { throw ReportCollectorError(code, "\(sentence): it is closed.") }
                return try body(queue)
            }
        } catch let error as ReportCollectorError {
            throw error
        } catch let error as DatabaseError {
            // Not the statement's arguments: they come from strangers.
            throw ReportCollectorError(
                code, "\(sentence): \(error.message ?? "SQLite error \(error.extendedResultCode.rawValue)").",
                underlying: error)
        } catch {
            throw ReportCollectorError(code, "\(sentence).", underlying: error)
        }
    }
}
