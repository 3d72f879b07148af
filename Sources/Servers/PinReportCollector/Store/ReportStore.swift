import GRDB
import ServerKit

/// The collector's SQLite database. It uses one connection. Every report is on the disk before its sender gets the
/// answer.
///
/// Calls block on the disk. Call them on threads that may block, never on the cooperative pool.
final class ReportStore: Sendable {
    /// The application id that identifies databases of collectors ("HFPR").
    static let applicationID: Int32 = 0x4846_5052

    private let database: ServerDatabase<ReportCollectorError>

    /// Opens or creates a database file; without a path, the database is in memory and ends with the store.
    ///
    /// Throws ``ReportCollectorError/Code/unreadableDatabase``.
    init(path: String?) throws(ReportCollectorError) {
        database = try ServerDatabase(
            path: path, label: "ReportStore", applicationID: Self.applicationID, owner: "the collector",
            migrator: Self.migrator)
    }

    /// Closes the file. Later calls fail.
    func close() { database.close() }

    /// Runs a read transaction.
    func read<R: Sendable>(_ body: (Database) throws -> R) throws(ReportCollectorError) -> R {
        try database.read(body)
    }

    /// Runs a write transaction.
    func write<R: Sendable>(_ body: (Database) throws -> R) throws(ReportCollectorError) -> R {
        try database.write(body)
    }
}
