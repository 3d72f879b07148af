import ChatServerCore
import GRDB

extension ChatServerStore {
    static func apply(_ write: DeskWrite, to database: Database) throws {
        switch write {
        case .assigned(let assignment):
            try database.execute(
                sql: """
                    INSERT INTO deskAssignment (clientID, operatorID, operatorName, since) VALUES (?, ?, ?, ?)
                    ON CONFLICT (clientID) DO UPDATE SET
                        operatorID = excluded.operatorID, operatorName = excluded.operatorName, since = excluded.since
                    """,
                arguments: [
                    assignment.clientID, assignment.operator.id, assignment.operator.name, assignment.since,
                ])
        case .released(let clientID):
            try database.execute(sql: "DELETE FROM deskAssignment WHERE clientID = ?", arguments: [clientID])
        case .noted(let note):
            try database.execute(
                sql: """
                    INSERT INTO deskNote (noteID, clientID, operatorID, operatorName, text, writtenAt)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    note.noteID, note.clientID, note.author.id, note.author.name, note.text, note.writtenAt,
                ])
        }
    }
}

extension DeskSnapshot {
    /// Returns the desk's stored state.
    static func fetch(from database: Database) throws -> DeskSnapshot {
        let assignments = try Row.fetchAll(database, sql: "SELECT * FROM deskAssignment ORDER BY clientID").map { row in
            DeskAssignment(
                clientID: row["clientID"], operator: DeskOperator(id: row["operatorID"], name: row["operatorName"]),
                since: row["since"])
        }
        let notes = try Row.fetchAll(database, sql: "SELECT * FROM deskNote ORDER BY position").map { row in
            DeskNote(
                noteID: row["noteID"], clientID: row["clientID"],
                author: DeskOperator(id: row["operatorID"], name: row["operatorName"]), text: row["text"],
                writtenAt: row["writtenAt"])
        }
        return DeskSnapshot(assignments: assignments, notes: notes)
    }
}
