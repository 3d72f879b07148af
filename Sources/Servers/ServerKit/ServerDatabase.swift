package import GRDB
import HoldfastSystem
import Synchronization

/// A server's SQLite database. It uses one connection; ``ServerDatabaseReader`` is another one. Every commit is on the
/// disk before `write` returns.
///
/// Calls block on the disk. Call them on threads that may block, never on the cooperative pool.
package final class ServerDatabase<Failure: ServerError>: Sendable {
    /// `nil` when the database is closed: GRDB does not survive a call on a closed connection.
    private let queue: Mutex<DatabaseQueue?>

    /// Opens or creates a database file; without a path, the database is in memory. Migrates it to the current schema.
    ///
    /// Only the owner can access the file and the two files next to it.
    ///
    /// - Parameters:
    ///   - label: The connection's name in a debugger.
    ///   - applicationID: SQLite's `application_id`, which identifies databases of this server.
    ///   - owner: The server, as in "a newer version of the collector".
    ///   - cacheSize: SQLite's page cache in KiB. A transaction that changes more pages writes some of them twice.
    ///   - migrator: The migrations from an empty database to the current schema.
    /// - Throws: ``ServerFailure/Code/unreadableDatabase``.
    package init(
        path: String?, label: String, applicationID: Int32, owner: String, cacheSize: Int = 2_000,
        migrator: DatabaseMigrator
    ) throws(Failure) {
        do {
            var configuration = Configuration()
            configuration.label = label
            configuration.foreignKeysEnabled = true
            configuration.prepareDatabase { database in
                // With FULL, acknowledged data survives a power failure (with WAL, NORMAL would not suffice).
                try database.execute(sql: "PRAGMA synchronous = FULL")
                // A negative number is a size in KiB.
                try database.execute(sql: "PRAGMA cache_size = -\(cacheSize)")
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
        // SQLite interprets these names as temporary databases or URIs.
        guard !path.isEmpty, !path.hasPrefix(":"), !path.hasPrefix("file:") else {
            throw Failure(.unreadableDatabase, "\"\(path)\" is not a valid path for a database file.", path: path)
        }
        PrivateFile.create(path)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            // SQLite returns the mode that it uses. A file system without support for WAL is not an error for SQLite,
            // but acknowledged data could be lost there.
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") ?? "none"
            guard mode.lowercased() == "wal" else {
                throw Failure(
                    .unreadableDatabase,
                    "The database \(path) is not safe: SQLite uses the journal mode \"\(mode)\" there, not WAL.",
                    path: path)
            }
            // Limits the log file after a checkpoint, so that one long transaction does not occupy its space
            // permanently.
            try database.execute(sql: "PRAGMA journal_size_limit = 16777216")
        }
        return queue
    }

    /// Marks an empty database as the server's own. Does not change a database of another program or a newer server,
    /// and returns the reason.
    private static func claim(
        _ database: Database, _ applicationID: Int32, owner: String, _ migrator: DatabaseMigrator
    ) throws -> String? {
        let identifier = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") == 0
        guard identifier == applicationID || (identifier == 0 && isEmpty) else {
            return "The database belongs to another program."
        }
        guard try !migrator.hasBeenSuperseded(database) else {
            return "The database was created by a newer version of \(owner)."
        }
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        return nil
    }

    /// Restricts the server's database to its owner. SQLite creates the files next to it with its mode, but these files
    /// may already exist.
    private static func restrict(_ path: String) throws {
        for file in ["", "-wal", "-shm"].map({ path + $0 }) {
            guard let number = PrivateFile.restrict(file) else { continue }
            throw Failure(
                .unreadableDatabase,
                "The database cannot be restricted to its owner: setting mode 0600 failed for \(file) (\(number)).",
                path: file)
        }
    }

    /// Closes the file. Later calls fail.
    package func close() {
        queue.withLock { queue in
            // If closing fails, the file stays open until the process ends; everything in it is committed.
            try? queue?.close()
            queue = nil
        }
    }

    /// Runs a read transaction. Throws ``ServerFailure/Code/unreadableDatabase``.
    package func read<R: Sendable>(_ body: (Database) throws -> R) throws(Failure) -> R {
        try access(.unreadableDatabase, "The database cannot be read") { try $0.read(body) }
    }

    /// Runs a write transaction. Throws ``ServerFailure/Code/databaseWriteFailed``.
    package func write<R: Sendable>(_ body: (Database) throws -> R) throws(Failure) -> R {
        try access(.databaseWriteFailed, "The database cannot be written") { try $0.write(body) }
    }

    private func access<R: Sendable>(
        _ code: ServerFailure.Code, _ sentence: String, _ body: (DatabaseQueue) throws -> R
    ) throws(Failure) -> R {
        do {
            return try queue.withLock { queue in
                guard let queue else { throw Failure(code, "\(sentence): the database is closed.") }
                return try body(queue)
            }
        } catch {
            throw Failure(error, code, sentence)
        }
    }
}

/// A second connection to a server's database file, which only reads. A reader sees one snapshot, and neither waits for
/// a commit nor delays one (SQLite's write-ahead log).
///
/// Calls block on the disk. Call them on threads that may block, never on the cooperative pool.
package final class ServerDatabaseReader<Failure: ServerError>: Sendable {
    /// The time to wait for a lock, which SQLite needs only while it recovers or resets its log.
    private static var busyTime: Double { 5 }

    /// `nil` when the connection is closed.
    private let queue: Mutex<DatabaseQueue?>

    /// Opens the file of an open ``ServerDatabase``.
    ///
    /// - Throws: ``ServerFailure/Code/unreadableDatabase``.
    package init(path: String, label: String) throws(Failure) {
        var configuration = Configuration()
        configuration.label = label
        configuration.readonly = true
        configuration.busyMode = .timeout(Self.busyTime)
        do {
            queue = Mutex(try DatabaseQueue(path: path, configuration: configuration))
        } catch {
            throw Failure(
                .unreadableDatabase, "The database \(path) cannot be opened: \(error).", path: path, underlying: error)
        }
    }

    /// Closes the connection. Later calls fail.
    package func close() {
        queue.withLock { queue in
            try? queue?.close()
            queue = nil
        }
    }

    /// Runs a read transaction. Throws ``ServerFailure/Code/unreadableDatabase``.
    package func read<R: Sendable>(_ body: (Database) throws -> R) throws(Failure) -> R {
        let sentence = "The database cannot be read"
        do {
            return try queue.withLock { queue in
                guard let queue else { throw Failure(.unreadableDatabase, "\(sentence): the database is closed.") }
                return try queue.read(body)
            }
        } catch {
            throw Failure(error, .unreadableDatabase, sentence)
        }
    }
}

extension ServerError {
    /// Creates the error for a failed call, or returns the error itself if it is one.
    fileprivate init(_ error: any Error, _ code: ServerFailure.Code, _ sentence: String) {
        switch error {
        case let error as Self: self = error
        case let error as DatabaseError:
            // Omits the statement's arguments, because they come from clients.
            self.init(
                code, "\(sentence): \(error.message ?? "SQLite error \(error.extendedResultCode.rawValue)").",
                underlying: error)
        default: self.init(code, "\(sentence).", underlying: error)
        }
    }
}

/// Files that only their owner can read and write, whatever the umask.
enum PrivateFile {
    private static let mode: mode_t = 0o600

    /// Creates an empty file unless one exists. Ignores errors, because opening the file reports them.
    static func create(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        // An existing file is restricted later, once it is known to belong to the server.
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Restricts a file to its owner. Ignores a missing file.
    ///
    /// Returns the system's error number if the system refuses.
    static func restrict(_ path: String) -> Int32? {
        guard chmod(path, mode) != 0, errno != ENOENT else { return nil }
        return errno
    }
}
