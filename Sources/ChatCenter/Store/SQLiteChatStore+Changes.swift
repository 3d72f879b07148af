import ChatCenterCore
import ChatWire
import GRDB

extension SQLiteChatStore {
    /// Makes one change.
    func apply(_ change: StoreChange, in db: Database) throws {
        switch change {
        case .saveMessage(let message):
            try MessageRow(message).save(db)
        case .removeMessage(let id):
            try db.execute(sql: "DELETE FROM message WHERE id = ?", arguments: [id.text])
        case .amend(let amendment):
            try amend(amendment, in: db)
        case .saveAttachment(let job):
            try AttachmentRow(job, in: folder).save(db)
        case .removeAttachment(let id):
            try db.execute(sql: "DELETE FROM attachment WHERE id = ?", arguments: [id.text])
        case .deviceAddress, .configuration, .cursor, .dialog, .farewell:
            try MetaRow.apply(change, in: db)
        case .erase:
            try db.execute(sql: "DELETE FROM meta; DELETE FROM message; DELETE FROM attachment;")
        }
    }

    private func amend(_ amendment: Amendment, in db: Database) throws {
        let row: MessageRow?
        switch amendment.target {
        case .id(let id):
            row = try MessageRow.fetchOne(db, sql: "SELECT * FROM message WHERE id = ?", arguments: [id.text])
        case .statusID(let name):
            row = try MessageRow.fetchOne(
                db, sql: "SELECT * FROM message WHERE serverID = ? OR id = ? ORDER BY rowid LIMIT 1",
                arguments: [name, name])
        }
        guard var message = try row?.message(), message.apply(amendment.change) else { return }
        try MessageRow(message).save(db)
    }
}
