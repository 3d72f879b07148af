import GRDB
import HoldfastTrust
import NIOPosix
import PinReports
import ServerKit

/// The collector's SQLite database. It uses one connection, on one thread of its own. Every batch is on the disk before
/// its senders get the answer.
final class SQLiteReportStore: ReportStore {
    /// The application id that identifies databases of collectors ("HFPR").
    static let applicationID: Int32 = 0x4846_5052

    private let database: ServerDatabase<ReportCollectorError>
    /// SQLite blocks on the disk and can use only one thread.
    private let thread = NIOThreadPool(numberOfThreads: 1)

    /// Opens or creates a database file; without a path, the database is in memory and ends with the store. Blocks on
    /// the disk.
    ///
    /// Throws ``ReportCollectorError/Code/unreadableDatabase``.
    init(path: String?) throws(ReportCollectorError) {
        database = try ServerDatabase(
            path: path, label: "SQLiteReportStore", applicationID: Self.applicationID, owner: "the collector",
            migrator: Self.migrator)
        thread.start()
    }

    deinit {
        // A store that was never closed still has its thread.
        thread.shutdownGracefully { _ in }
    }

    func close() async {
        // Runs the calls that have begun to wait.
        try? await thread.shutdownGracefully()
        database.close()
    }

    func isReady() async -> Bool {
        (try? await read { try Int.fetchOne($0, sql: "SELECT reports FROM total") }) != nil
    }

    /// Runs a read transaction on the store's thread.
    func read<R: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> R
    ) async throws(ReportCollectorError) -> R {
        try await run(.unreadableDatabase) { try $0.read(body) }
    }

    /// Runs a write transaction on the store's thread.
    func write<R: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> R
    ) async throws(ReportCollectorError) -> R {
        try await run(.databaseWriteFailed) { try $0.write(body) }
    }

    private func run<R: Sendable>(
        _ code: ReportCollectorError.Code,
        _ body: @escaping @Sendable (ServerDatabase<ReportCollectorError>) throws -> R
    ) async throws(ReportCollectorError) -> R {
        do {
            return try await thread.runIfActive { [database] in try body(database) }
        } catch let error as ReportCollectorError {
            throw error
        } catch {
            // The thread has ended, or the task was cancelled before the call began.
            throw ReportCollectorError(code, "The database is closed.", underlying: error)
        }
    }
}
