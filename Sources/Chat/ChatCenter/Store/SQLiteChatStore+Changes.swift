import ChatCenterCore
import ChatWire
import GRDB

extension SQLiteChatStore {
    /// Applies one change.
    func apply(_ change: StoreChange, in db: Database) throws {
        switch change {
        case .saveMessage(let message):
            try save(message, in: db)
        case .removeMessage(let id):
            let name = codec.name(id.text)
            if let place = try Int64.fetchOne(db, sql: "SELECT place FROM message WHERE id = ?", arguments: [name]) {
                try index?.remove(place, in: db)
                noteChange(at: place)
            }
            try db.execute(sql: "DELETE FROM message WHERE id = ?", arguments: [name])
        case .amend(let amendment):
            try amend(amendment, in: db)
        case .saveAttachment(let job):
            try AttachmentRow(job, in: folder, codec).save(db)
        case .removeAttachment(let id):
            try db.execute(sql: "DELETE FROM attachment WHERE id = ?", arguments: [codec.name(id.text)])
        case .deviceAddress, .configuration, .cursor, .dialog, .draft, .farewell:
            try MetaRow.apply(change, in: db, codec)
        case .erase:
            try index?.removeAll(in: db)
            try db.execute(sql: "DELETE FROM meta; DELETE FROM message; DELETE FROM attachment;")
        }
    }

    /// Updates the search index, unless it can wait.
    func index(after transaction: StoreTransaction, in db: Database) throws {
        guard let index else { return }
        let isSending = transaction.changes.contains { change in
            if case .saveMessage(let message) = change { message.delivery?.entry != nil } else { false }
        }
        // Sending waits for the commit, so the limit is higher. No caller waits for a commit of received data.
        let limit = isSending ? SearchIndex.mostWaiting : SearchIndex.mostWaitingAtLeisure
        if try index.waiting(in: db) >= limit { try index.takeWaiting(in: db, codec) }
    }

    private func save(_ message: StoredMessage, in db: Database) throws {
        let row = try MessageRow(message, codec)
        let before = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT place FROM message WHERE id = ?"), arguments: [row.name])
        let place = try row.save(db)
        if let before, before != place {
            try index?.remove(before, in: db)
            noteChange(at: before)
        }
        try index?.save(SearchIndex.text(of: message), at: place, in: db)
        noteChange(at: place)
    }

    private func amend(_ amendment: Amendment, in db: Database) throws {
        let row: MessageRow?
        switch amendment.target {
        case .id(let id):
            row = try MessageRow.fetchOne(
                db, sql: "SELECT * FROM message WHERE id = ?", arguments: [codec.name(id.text)])
        case .statusID(let name):
            row = try MessageRow.fetchOne(
                db, sql: "SELECT * FROM message WHERE serverID = ?1 OR id = ?1 ORDER BY rowid LIMIT 1",
                arguments: [codec.name(name)])
        }
        guard var message = try row?.message(codec), message.apply(amendment.change) else { return }
        try save(message, in: db)
    }
}
