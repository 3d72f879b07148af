import GRDB
import HoldfastTrust
import NIOPosix
import PinReports
import ServerKit
import Synchronization

/// The collector's SQLite database. One connection writes, on one thread of its own. Every batch is on the disk before
/// its senders get the answer.
///
/// Readers have connections and threads of their own: a slow page of the desk never delays a batch. A database in
/// memory has only one connection.
final class SQLiteReportStore: ReportStore {
    /// The application id that identifies databases of collectors ("HFPR").
    static let applicationID: Int32 = 0x4846_5052
    /// The number of connections that only read. One slow reader leaves another connection to the others.
    private static let readerCount = 2
    /// The writer's page cache in KiB. It has room for the pages of the largest batch, and for those of the indexes,
    /// which each report changes at random places.
    private static let cacheSize = 32 << 10

    private typealias Reader = ServerDatabaseReader<ReportCollectorError>

    private let database: ServerDatabase<ReportCollectorError>
    /// SQLite blocks on the disk, and only one connection can write.
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let readers: [Reader]
    /// The readers that no thread uses. There are as many threads as readers.
    private let idle: Mutex<[Reader]>
    private let readThreads = NIOThreadPool(numberOfThreads: SQLiteReportStore.readerCount)

    /// Opens or creates a database file; without a path, the database is in memory and ends with the store. Blocks on
    /// the disk.
    ///
    /// Throws ``ReportCollectorError/Code/unreadableDatabase``.
    init(path: String?) throws(ReportCollectorError) {
        database = try ServerDatabase(
            path: path, label: "SQLiteReportStore", applicationID: Self.applicationID, owner: "the collector",
            cacheSize: Self.cacheSize, migrator: SQLiteReportSchema.migrator)
        var readers: [Reader] = []
        if let path {
            for _ in 0..<Self.readerCount { readers.append(try Reader(path: path, label: "SQLiteReportStore reader")) }
        }
        self.readers = readers
        idle = Mutex(readers)
        thread.start()
        readThreads.start()
    }

    deinit {
        // A store that was never closed still has its threads.
        thread.shutdownGracefully { _ in }
        readThreads.shutdownGracefully { _ in }
    }

    func close() async {
        // Runs the calls that have begun to wait.
        try? await readThreads.shutdownGracefully()
        try? await thread.shutdownGracefully()
        for reader in readers { reader.close() }
        database.close()
    }

    func isReady() async -> Bool {
        (try? await read { try Int.fetchOne($0, sql: "SELECT reports FROM total") }) != nil
    }

    /// Runs a read transaction on a thread for readers. It sees everything that was committed before.
    func read<R: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> R
    ) async throws(ReportCollectorError) -> R {
        guard !readers.isEmpty else {
            return try await run(thread, .unreadableDatabase) { [database] in try database.read(body) }
        }
        return try await run(readThreads, .unreadableDatabase) {
            guard let reader = self.idle.withLock({ $0.popLast() }) else {
                throw ReportCollectorError(.unreadableDatabase, "The database is closed.")
            }
            defer { self.idle.withLock { $0.append(reader) } }
            return try reader.read(body)
        }
    }

    /// Runs a write transaction on the store's thread.
    func write<R: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> R
    ) async throws(ReportCollectorError) -> R {
        try await run(thread, .databaseWriteFailed) { [database] in try database.write(body) }
    }

    private func run<R: Sendable>(
        _ threads: NIOThreadPool, _ code: ReportCollectorError.Code, _ body: @escaping @Sendable () throws -> R
    ) async throws(ReportCollectorError) -> R {
        do {
            return try await threads.runIfActive(body)
        } catch let error as ReportCollectorError {
            throw error
        } catch {
            // The thread has ended, or the task was cancelled before the call began.
            throw ReportCollectorError(code, "The database is closed.", underlying: error)
        }
    }
}
