import ChatCenterCore
import Foundation
import GRDB

extension SQLiteChatStore {
    /// Deletes the messages and settings that cannot be read, so that one bad row does not cost the others. Returns how
    /// many there were. A file that a message waits for is not among them: without it the message could never be sent.
    func removeUnreadable() throws -> Int {
        try opened().write { db in
            var places: [Int64] = []
            let messages = try Row.fetchCursor(db, sql: "SELECT rowid AS number, * FROM message")
            while let row = try messages.next() {
                do {
                    _ = try MessageRow(row: row).message(codec)
                } catch {
                    places.append(try row.decode(forColumn: "number"))
                }
            }
            for place in places {
                try db.execute(sql: "DELETE FROM message WHERE rowid = ?", arguments: [place])
            }
            let names = try MetaRow.unreadable(db, codec)
            for name in names { try db.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [name]) }
            // Words of a message that is gone.
            if !places.isEmpty { try index.removeOrphans(in: db) }
            return places.count + names.count
        }
    }
}
