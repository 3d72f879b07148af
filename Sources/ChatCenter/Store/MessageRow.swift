import ChatCenterCore
import ChatWire
import Foundation
import GRDB

/// A message as a row: the core's record of it, and the columns that it is looked up by.
struct MessageRow: FetchableRecord {
    let id: String
    private let serverID: String?
    private let position: MessagePosition
    private let record: Data
    private let isQueued: Bool
    private let words: String

    init(_ message: StoredMessage) {
        id = message.id.text
        serverID = message.serverID
        position = message.position
        record = Data(message.record.bytes)
        isQueued = message.delivery?.entry != nil
        words = (message.content.text ?? "").lowercased()
    }

    init(row: Row) {
        id = row["id"]
        serverID = row["serverID"]
        position = MessagePosition(time: row["time"], sequence: row["sequence"])
        record = row["record"]
        isQueued = row["isQueued"]
        words = row["words"]
    }

    /// The message. Throws where the row does not hold what was written.
    func message() throws -> StoredMessage {
        let value = try JSONValue(parsing: Array(record), limits: .answer)
        guard let message = StoredMessage(record: value) else { throw DamagedRow() }
        return message
    }

    /// Inserts the row, or replaces what it holds and keeps its row id.
    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO message (id, serverID, time, sequence, record, isQueued, words)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET serverID = excluded.serverID, time = excluded.time,
                    sequence = excluded.sequence, record = excluded.record, isQueued = excluded.isQueued,
                    words = excluded.words
                """,
            arguments: [id, serverID, position.time, position.sequence, record, isQueued, words])
    }
}
