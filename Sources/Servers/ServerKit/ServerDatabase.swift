package import GRDB
import Synchronization

/// A server's SQLite database: one connection, and every commit is on the disk before anybody hears of it.
///
/// Calls block on the disk. They are made on threads that may block, never on the cooperative pool.
package final class ServerDatabase<Failure: ServerError>: Sendable {
    /// `nil` when the database is closed: GRDB does not survive a call on a closed connection.
    private let queue: Mutex<DatabaseQueue?>

    /// Opens a database file, or makes one; without a path the database lives in memory. Migrates it to the present schema.
    ///
    /// The file and the two files beside it are for their owner alone.
    ///
    /// - Parameters:
    ///   - label: The connection's name in a debugger.
    ///   - applicationID: SQLite's `application_id`, which tells databases of this server from others.
    ///   - owner: The server, as in "a newer version of the collector".
    ///   - migrator: The steps from an empty database to the present schema.
    /// - Throws: ``ServerFailure/Code/unreadableDatabase``.
    package init(
        path: String?, label: String, applicationID: Int32, owner: String, migrator: DatabaseMigrator
    ) throws(Failure) {
        do {
            var configuration = Configuration()
            configuration.label = label
            configuration.foreignKeysEnabled = true
            configuration.prepareDatabase { database in
                // FULL keeps what was acknowledged through a power cut as well (with WAL, NORMAL would not).
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
            let queue =
                try path.map { try Self.open($0, configuration) } ?? DatabaseQueue(configuration: configuration)
            try queue.write { database in
                if let reason = try Self.claim(database, applicationID, owner: owner, migrator) {
                    throw Failure(.unreadableDatabase, reason, path: path)
                }
            }
            if let path { try Self.restrict(path) }
            try migrator.migrate(queue)
            self.queue = Mutex(queue)
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(
                .unreadableDatabase, "The database \(path ?? "in memory") cannot be opened: \(error).", path: path,
                underlying: error)
        }
    }

    private static func open(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
        // To SQLite, these names stand for databases that end with the process, and for URIs.
        guard !path.isEmpty, !path.hasPrefix(":"), !path.hasPrefix("file:") else {
            throw Failure(.unreadableDatabase, "\"\(path)\" is not a valid path of a database file.", path: path)
        }
        PrivateFile.create(path)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            // SQLite answers with the mode that it has taken. A file system that cannot keep a log is not an error to
            // SQLite, but what is acknowledged there could be lost.
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") ?? "none"
            guard mode.lowercased() == "wal" else {
                throw Failure(
                    .unreadableDatabase,
                    "The database \(path) cannot be kept safely: SQLite's journal there is \"\(mode)\", not WAL.",
                    path: path)
            }
            // What a checkpoint leaves of the log, so that one long transaction does not cost its size forever.
            try database.execute(sql: "PRAGMA journal_size_limit = 16777216")
        }
        return queue
    }

    /// Marks a fresh database as the server's own. Changes nothing in a database of another program or of a newer
    /// server, and returns what is wrong with it.
    private static func claim(
        _ database: Database, _ applicationID: Int32, owner: String, _ migrator: DatabaseMigrator
    ) throws -> String? {
        let identifier = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") == 0
        guard identifier == applicationID || (identifier == 0 && isEmpty) else {
            return "The database belongs to another program."
        }
        guard try !migrator.hasBeenSuperseded(database) else {
            return "The database was made by a newer version of \(owner)."
        }
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        return nil
    }

    /// Restricts a database of the server to its owner. SQLite gives new files beside the database its mode, but these
    /// files may be as old as the database.
    private static func restrict(_ path: String) throws {
        for file in ["", "-wal", "-shm"].map({ path + $0 }) {
            guard let number = PrivateFile.restrict(file) else { continue }
            throw Failure(
                .unreadableDatabase,
                "The database cannot be closed to others: \(file) cannot be given the mode 0600 (error \(number)).",
                path: file)
        }
    }

    /// Closes the file. Later calls fail.
    package func close() {
        queue.withLock { queue in
            // A close that fails leaves the file to the end of the process; everything in it is committed.
            try? queue?.close()
            queue = nil
        }
    }

    /// Runs one transaction that reads. Throws ``ServerFailure/Code/unreadableDatabase``.
    package func read<R: Sendable>(_ body: (Database) throws -> R) throws(Failure) -> R {
        try access(.unreadableDatabase, "The database cannot be read") { try $0.read(body) }
    }

    /// Runs one transaction that writes. Throws ``ServerFailure/Code/databaseWriteFailed``.
    package func write<R: Sendable>(_ body: (Database) throws -> R) throws(Failure) -> R {
        try access(.databaseWriteFailed, "The database cannot be written") { try $0.write(body) }
    }

    private func access<R: Sendable>(
        _ code: ServerFailure.Code, _ sentence: String, _ body: (DatabaseQueue) throws -> R
    ) throws(Failure) -> R {
        do {
            return try queue.withLock { queue in
                guard let queue else { throw Failure(code, "\(sentence): it is closed.") }
                return try body(queue)
            }
        } catch let error as Failure {
            throw error
        } catch let error as DatabaseError {
            // The statement's arguments are left out, because they come from strangers.
            throw Failure(
                code, "\(sentence): \(error.message ?? "SQLite error \(error.extendedResultCode.rawValue)").",
                underlying: error)
        } catch {
            throw Failure(code, "\(sentence).", underlying: error)
        }
    }
}
