import ChatServerCore
import GRDB
import ServerKit

/// The server's SQLite database. It uses one connection. Every commit is on the disk before a client is told.
///
/// Calls block on the disk. Call them on threads that may block, never on the cooperative pool.
final class ChatServerStore: Sendable {
    /// The application id that identifies databases of this server ("HFCD").
    static let applicationID: Int32 = 0x4846_4344

    private let database: ServerDatabase<ChatDevServerError>

    /// Opens or creates a database file; without a path, the database is in memory and ends with the store.
    ///
    /// Throws ``ChatDevServerError/Code/unreadableDatabase`` if the file is not a database, belongs to another program
    /// or a newer server, or if the location is not writable.
    init(path: String?) throws(ChatDevServerError) {
        database = try ServerDatabase(
            path: path, label: "ChatServerStore", applicationID: Self.applicationID, owner: "this server",
            migrator: Self.migrator)
    }

    /// Writes all changes of one turn, or none.
    func commit(_ writes: [ServerWrite]) throws(ChatDevServerError) {
        try write { database in
            for write in writes { try Self.apply(write, to: database) }
        }
    }

    /// Reads the stored state of an earlier run.
    func restore() throws(ChatDevServerError) -> ServerSnapshot {
        try read { database in
            try ServerSnapshot(
                clients: ClientRecord.fetchAll(from: database), devices: DeviceRecord.fetchAll(from: database),
                messages: ServerMessage.fetchAll(from: database), desk: DeskSnapshot.fetch(from: database))
        }
    }

    /// Closes the file. Later calls fail.
    func close() { database.close() }

    /// Runs a read transaction.
    func read<R: Sendable>(_ body: (Database) throws -> R) throws(ChatDevServerError) -> R {
        try database.read(body)
    }

    /// Runs a write transaction.
    func write<R: Sendable>(_ body: (Database) throws -> R) throws(ChatDevServerError) -> R {
        try database.write(body)
    }
}
