import ChatCenterCore
import ChatWire
import Foundation
import GRDB

/// The values that exist once for each user, stored by name.
enum MetaRow {
    private enum Key: String {
        case deviceAddress, configuration, cursor, dialog, draft, farewell
    }

    private struct DialogRecord: Codable {
        var phase: String
        var since: Int64
    }

    /// Applies a change to one of the values.
    static func apply(_ change: StoreChange, in db: Database, _ codec: RowCodec) throws {
        switch change {
        case .deviceAddress(let address):
            try set(.deviceAddress, Data(address.utf8), in: db, codec)
        case .configuration(let answer):
            try set(.configuration, Data(answer.bytes), in: db, codec)
        case .cursor(let uuid):
            try set(.cursor, uuid.map { Data($0.utf8) }, in: db, codec)
        case .dialog(let state):
            let record = DialogRecord(phase: state.phase.rawValue, since: state.since)
            try set(.dialog, try JSONEncoder().encode(record), in: db, codec)
        case .draft(let text):
            try set(.draft, text.map { Data($0.utf8) }, in: db, codec)
        case .farewell(let farewell):
            try set(.farewell, try farewell.map { try JSONEncoder().encode($0) }, in: db, codec)
        case .saveMessage, .removeMessage, .amend, .saveAttachment, .removeAttachment, .erase:
            break
        }
    }

    /// Reads all values.
    static func read(_ db: Database, into chat: inout PersistedChat, _ codec: RowCodec) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT key, value FROM meta")
        while let row = try rows.next() {
            // A later version may have written an unknown name.
            guard let key = Key(rawValue: try row.decode(forColumn: "key")) else { continue }
            try read(key, row, into: &chat, codec)
        }
    }

    /// Reads only the pending logout.
    static func farewell(_ db: Database, _ codec: RowCodec) throws -> Farewell? {
        var chat = PersistedChat.empty
        let row = try Row.fetchOne(
            db, sql: "SELECT key, value FROM meta WHERE key = ?", arguments: [Key.farewell.rawValue])
        if let row { try read(.farewell, row, into: &chat, codec) }
        return chat.farewell
    }

    /// Returns the names whose values cannot be read.
    static func unreadable(_ db: Database, _ codec: RowCodec) throws -> [String] {
        var names: [String] = []
        let rows = try Row.fetchCursor(db, sql: "SELECT key, value FROM meta")
        while let row = try rows.next() {
            let name: String = try row.decode(forColumn: "key")
            guard let key = Key(rawValue: name) else { continue }
            var chat = PersistedChat.empty
            do {
                try read(key, row, into: &chat, codec)
            } catch {
                names.append(name)
            }
        }
        return names
    }

    private static func read(_ key: Key, _ row: Row, into chat: inout PersistedChat, _ codec: RowCodec) throws {
        let value = Data(try codec.open(try row.decode(forColumn: "value"), at: place(key)))
        switch key {
        case .deviceAddress: chat.deviceAddress = String(decoding: value, as: UTF8.self)
        case .configuration: chat.configuration = try ConfigurationAnswer(parsing: Array(value))
        case .cursor: chat.cursor = String(decoding: value, as: UTF8.self)
        case .dialog:
            let record = try JSONDecoder().decode(DialogRecord.self, from: value)
            guard let phase = DialogState.Phase(rawValue: record.phase) else { throw DamagedRow() }
            chat.dialog = DialogState(phase: phase, since: record.since)
        case .draft: chat.draft = String(decoding: value, as: UTF8.self)
        case .farewell: chat.farewell = try JSONDecoder().decode(Farewell.self, from: value)
        }
    }

    /// Encrypts a row of an unencrypted store.
    static func reseal(_ row: Row, in db: Database, _ codec: RowCodec) throws {
        guard let key = Key(rawValue: try row.decode(forColumn: "key")) else { return }
        try set(key, try row.decode(Data.self, forColumn: "value"), in: db, codec)
    }

    private static func place(_ key: Key) -> RowPlace { RowPlace(table: "meta", names: [key.rawValue]) }

    private static func set(_ key: Key, _ value: Data?, in db: Database, _ codec: RowCodec) throws {
        guard let value else {
            try db.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [key.rawValue])
            return
        }
        try db.execute(
            sql: "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            arguments: [key.rawValue, try codec.seal(Array(value), at: place(key))])
    }
}
