import ChatServerCore
import GRDB
import ServerKit

/// What a server keeps, in SQLite: one connection, every commit on the disk before anybody hears of it.
///
/// Calls block on the disk. They are made on threads that may block, never on the cooperative pool.
final class ChatServerStore: Sendable {
    /// Tells databases of this server from others ("HFCD").
    static let applicationID: Int32 = 0x4846_4344

    private let database: ServerDatabase<ChatDevServerError>

    /// Opens a database file, or makes one; without a path it lives in memory and ends with the store.
    ///
    /// Throws ``ChatDevServerError/Code/unreadableDatabase`` for a file that is no database, is one of another program or
    /// of a newer server, or lies where nothing can be written.
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

    /// Reads all that an earlier run has kept.
    func restore() throws(ChatDevServerError) -> ServerSnapshot {
        try read { database in
            try ServerSnapshot(
                clients: ClientRecord.fetchAll(from: database), devices: DeviceRecord.fetchAll(from: database),
                messages: ServerMessage.fetchAll(from: database))
        }
    }

    /// Closes the file. Later calls fail.
    func close() { database.close() }

    /// One transaction that reads.
    func read<R: Sendable>(_ body: (Database) throws -> R) throws(ChatDevServerError) -> R {
        try database.read(body)
    }

    /// One transaction that writes.
    func write<R: Sendable>(_ body: (Database) throws -> R) throws(ChatDevServerError) -> R {
        try database.write(body)
    }
}
