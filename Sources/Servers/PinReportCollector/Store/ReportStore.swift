import GRDB
import ServerKit

/// What a collector keeps, in SQLite: one connection, every report on the disk before its sender hears of it.
///
/// Calls block on the disk. They are made on threads that may block, never on the cooperative pool.
final class ReportStore: Sendable {
    /// Tells databases of collectors from others ("HFPR").
    static let applicationID: Int32 = 0x4846_5052

    private let database: ServerDatabase<ReportCollectorError>

    /// Opens a database file, or makes one; without a path it lives in memory and ends with the store.
    ///
    /// Throws ``ReportCollectorError/Code/unreadableDatabase``.
    init(path: String?) throws(ReportCollectorError) {
        database = try ServerDatabase(
            path: path, label: "ReportStore", applicationID: Self.applicationID, owner: "the collector",
            migrator: Self.migrator)
    }

    /// Closes the file. Later calls fail.
    func close() { database.close() }

    /// One transaction that reads.
    func read<R: Sendable>(_ body: (Database) throws -> R) throws(ReportCollectorError) -> R {
        try database.read(body)
    }

    /// One transaction that writes.
    func write<R: Sendable>(_ body: (Database) throws -> R) throws(ReportCollectorError) -> R {
        try database.write(body)
    }
}
