import ChatCenterCore
import ChatWire
import Foundation
import GRDB

/// A message as a row.
struct MessageRow: FetchableRecord {
    let id: String
    private let serverID: String?
    private let position: MessagePosition
    private let content: [UInt8]
    private let state: Data
    private let isQueued: Bool
    private let words: String

    init(_ message: StoredMessage) throws {
        id = message.id.text
        serverID = message.serverID
        position = message.position
        content = message.content.json.bytes
        state = try StateRecord.encoder().encode(StateRecord(message.state))
        isQueued = message.delivery?.entry != nil
        words = (message.content.text ?? "").lowercased()
    }

    init(row: Row) {
        id = row["id"]
        serverID = row["serverID"]
        position = MessagePosition(time: row["time"], sequence: row["sequence"])
        content = Array(row["content"] as Data)
        state = row["state"]
        isQueued = row["isQueued"]
        words = row["words"]
    }

    /// The message. Throws where the row does not hold what was written.
    func message() throws -> StoredMessage {
        StoredMessage(
            id: MessageID(id), serverID: serverID, content: Content(try JSONValue(parsing: content, limits: .answer)),
            position: position, state: try JSONDecoder().decode(StateRecord.self, from: state).state())
    }

    /// Inserts the row, or replaces what it holds and keeps its row id.
    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO message (id, serverID, time, sequence, content, state, isQueued, words)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET serverID = excluded.serverID, time = excluded.time,
                    sequence = excluded.sequence, content = excluded.content, state = excluded.state,
                    isQueued = excluded.isQueued, words = excluded.words
                """,
            arguments: [
                id, serverID, position.time, position.sequence, Data(content), state, isQueued, words,
            ])
    }
}
