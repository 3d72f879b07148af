import ChatCenterCore
import ChatWire
import Foundation
import GRDB

/// A message as a row: the encoded record, and the columns for lookups.
struct MessageRow: FetchableRecord {
    /// The id for lookups: a keyed hash in an encrypted store.
    let name: String
    private let serverName: String?
    private let position: MessagePosition
    private let record: Data
    private let pending: Pending
    /// The size of the record in bytes.
    var byteCount: Int { record.count }

    /// The pending work for a message. A message with pending work is loaded at the next start, regardless of its age.
    enum Pending: Int64 {
        case none
        /// The message is in the queue.
        case queued
        /// The message was read, and the server does not know this yet.
        case readHere

        init(_ message: StoredMessage) {
            if message.delivery?.entry != nil {
                self = .queued
            } else {
                self = message.state == .received(.readHere) ? .readHere : .none
            }
        }
    }

    init(_ message: StoredMessage, _ codec: RowCodec) throws {
        name = codec.name(message.id.text)
        serverName = message.serverID.map(codec.name)
        position = message.position
        pending = Pending(message)
        record = try codec.seal(
            message.record.bytes, at: Self.place(name, serverName, message.position, pending))
    }

    /// Throws if a column has an unexpected value, because another program may have written the file.
    init(row: Row) throws {
        name = try row.decode(forColumn: "id")
        serverName = try row.decode(forColumn: "serverID")
        position = MessagePosition(time: try row.integer("time"), sequence: try row.integer("sequence"))
        record = try row.decode(forColumn: "record")
        guard let pending = Pending(rawValue: try row.integer("isQueued")) else { throw DamagedRow() }
        self.pending = pending
    }

    /// Returns the message. Throws if the row was modified.
    func message(_ codec: RowCodec) throws -> StoredMessage {
        let bytes = try codec.open(record, at: Self.place(name, serverName, position, pending))
        let value = try JSONValue(parsing: bytes, limits: .answer)
        guard let message = StoredMessage(record: value) else { throw DamagedRow() }
        return message
    }

    /// Returns the message as a search result.
    func hit(_ codec: RowCodec) throws -> SearchHit {
        let message = try message(codec)
        return SearchHit(id: message.id, position: message.position, content: message.content)
    }

    /// Inserts or updates the row. Returns its place in the search index.
    func save(_ db: Database) throws -> Int64 {
        let known = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT place, time FROM message WHERE id = ?"), arguments: [name])
        if let known, try known.decode(Int64?.self, forColumn: "time") == position.time {
            try db.cachedStatement(
                sql: "UPDATE message SET serverID = ?, sequence = ?, record = ?, isQueued = ? WHERE id = ?"
            ).execute(arguments: [serverName, position.sequence, record, pending.rawValue, name])
            return try known.decode(forColumn: "place")
        }
        let place = try Self.freePlace(at: position.time, db)
        try db.cachedStatement(
            sql: """
                INSERT INTO message (id, serverID, time, sequence, record, isQueued, place) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET serverID = excluded.serverID, time = excluded.time,
                    sequence = excluded.sequence, record = excluded.record, isQueued = excluded.isQueued,
                    place = excluded.place
                """
        ).execute(arguments: [name, serverName, position.time, position.sequence, record, pending.rawValue, place])
        return place
    }

    /// Returns a new row id that grows with the time. The search index is read in the order of its row ids and so
    /// returns the newest messages first, without sorting all matches.
    private static func freePlace(at time: Int64, _ db: Database) throws -> Int64 {
        let slot = slot(at: time)
        let last = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT MAX(place) FROM message WHERE place BETWEEN ? AND ?"),
            arguments: [slot, slot + 1023])
        guard let last else { return slot }
        guard last == slot + 1023 else { return last + 1 }
        // More than 1,024 messages with the same millisecond are placed after all others. Only a faulty server sends
        // them. Their order in search results is then wrong, but looking for a gap would take time for every message.
        let (next, isBeyond) = (try Int64.fetchOne(db, sql: "SELECT MAX(place) FROM message") ?? last)
            .addingReportingOverflow(1)
        guard !isBeyond else { throw DamagedRow() }
        return next
    }

    /// Moves the rows of a table that had no places.
    static func moveAll(from table: String, _ db: Database) throws {
        var last = Int64.min
        for row in try Row.fetchAll(db, sql: "SELECT rowid, time FROM \(table) ORDER BY time, sequence") {
            last = max(last &+ 1, slot(at: try row.decode(forColumn: "time")))
            try db.execute(
                sql: """
                    INSERT INTO message (id, serverID, time, sequence, record, isQueued, place)
                    SELECT id, serverID, time, sequence, record, isQueued, ? FROM \(table) WHERE rowid = ?
                    """, arguments: [last, try row.decode(Int64.self, forColumn: "rowid")])
        }
    }

    private static func slot(at time: Int64) -> Int64 {
        // 2^51 milliseconds are 70,000 years. A later time is a server's error and affects only the order.
        min(max(time, -(1 << 51)), 1 << 51) << 10
    }

    private static func place(
        _ name: String, _ serverName: String?, _ position: MessagePosition, _ pending: Pending
    ) -> RowPlace {
        RowPlace(
            table: "message", names: [name, serverName ?? ""],
            numbers: [position.time, position.sequence, pending.rawValue, serverName == nil ? 0 : 1])
    }
}

extension Row {
    /// Returns an integer column. Throws for other types, because SQLite stores any text in an integer column.
    func integer(_ column: String) throws -> Int64 {
        guard case .int64(let number) = try decode(DatabaseValue.self, forColumn: column).storage else {
            throw DamagedRow()
        }
        return number
    }
}

/// The error for a row that this program did not write.
struct DamagedRow: Error {}

/// A row for a file that belongs to an unsent message.
struct AttachmentRow: FetchableRecord {
    private let name: String
    private let record: Data

    /// Stores the path relative to the copies in `folder`, because an app's container can move between runs. Throws if
    /// the file is not such a copy.
    init(_ job: AttachmentJob, in folder: UserFolder, _ codec: RowCodec) throws {
        name = codec.name(job.id.text)
        var job = job
        let prefix = folder.files.path + "/"
        guard job.file.path.hasPrefix(prefix) else { throw CocoaError(.fileWriteInvalidFileName) }
        job.file.path = String(job.file.path.dropFirst(prefix.count))
        guard UserFolder.isFileName(job.file.path) else { throw CocoaError(.fileWriteInvalidFileName) }
        record = try codec.seal(job.record.bytes, at: RowPlace(table: "attachment", names: [name]))
    }

    init(row: Row) throws {
        name = try row.decode(forColumn: "id")
        record = try row.decode(forColumn: "record")
    }

    func job(in folder: UserFolder, _ codec: RowCodec) throws -> AttachmentJob {
        let bytes = try codec.open(record, at: RowPlace(table: "attachment", names: [name]))
        let value = try JSONValue(parsing: bytes, limits: .answer)
        // A path that leads outside the folder could send or delete any file that the app can access.
        guard var job = AttachmentJob(record: value), UserFolder.isFileName(job.file.path) else { throw DamagedRow() }
        job.file.path = folder.files.path + "/" + job.file.path
        return job
    }

    func save(_ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO attachment (id, record) VALUES (?, ?) "
                + "ON CONFLICT (id) DO UPDATE SET record = excluded.record",
            arguments: [name, record])
    }
}
