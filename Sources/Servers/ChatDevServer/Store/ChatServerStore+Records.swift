import ChatServerCore
import ChatWire
import GRDB

extension ChatServerStore {
    static func apply(_ write: ServerWrite, to database: Database) throws {
        switch write {
        case .client(let record):
            // An update keeps the position, and with it the order of the clients.
            try database.execute(
                sql: """
                    INSERT INTO client
                        (clientID, name, data, locale, hasOperator, threadID, isThreadOpen, operator, isBlocked)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (clientID) DO UPDATE SET
                        name = excluded.name, data = excluded.data, locale = excluded.locale,
                        hasOperator = excluded.hasOperator, threadID = excluded.threadID,
                        isThreadOpen = excluded.isThreadOpen, operator = excluded.operator,
                        isBlocked = excluded.isBlocked
                    """,
                arguments: [
                    record.clientID, record.name, record.data.map { JSONValue.object($0).text }, record.locale,
                    record.hasOperator, record.threadID, record.isThreadOpen,
                    // Wrapped in a content, because the protocol encodes an operator that way.
                    record.operator.map { Content(.operatorJoined, operator: $0).json.text }, record.isBlocked,
                ])
        case .device(let record):
            try database.execute(
                sql: """
                    INSERT INTO device (address, clientID, pushToken) VALUES (?, ?, ?)
                    ON CONFLICT (address) DO UPDATE SET clientID = excluded.clientID, pushToken = excluded.pushToken
                    """,
                arguments: [record.address, record.clientID, record.pushToken])
        case .deviceRemoved(let address):
            try database.execute(sql: "DELETE FROM device WHERE address = ?", arguments: [address])
        case .message(let message):
            try database.execute(
                sql: """
                    INSERT INTO message
                        (sequence, clientID, messageID, uuid, isFromClient, sentAt, status, isInHistory, content,
                         hasUntoldChange)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    message.sequence, message.clientID, message.messageID, message.uuid, message.isFromClient,
                    message.sentAt, message.status.rawValue, message.isInHistory, message.content.json.text,
                    message.hasUntoldChange,
                ])
            // In the same transaction, so that no file of a message counts as unsent after a crash.
            try removeUnsentMarks(message.content.attachments.compactMap(\.result), from: database)
        case .messageChanged(let message):
            try database.execute(
                sql: "UPDATE message SET status = ?, content = ?, hasUntoldChange = ? WHERE sequence = ?",
                arguments: [
                    message.status.rawValue, message.content.json.text, message.hasUntoldChange, message.sequence,
                ])
        case .messagesRemoved(let clientID, let through):
            try database.execute(
                sql: "DELETE FROM message WHERE clientID = ? AND sequence <= ?", arguments: [clientID, through])
        case .desk(let write):
            try apply(write, to: database)
        }
    }
}

extension ClientRecord {
    /// Returns the clients in the order of their first appearance.
    static func fetchAll(from database: Database) throws -> [ClientRecord] {
        try Row.fetchAll(database, sql: "SELECT * FROM client ORDER BY position").map { row in
            let data: String? = row["data"]
            let person: String? = row["operator"]
            return ClientRecord(
                clientID: row["clientID"], name: row["name"],
                data: try data.flatMap { try JSONValue(parsing: $0).objectValue }, locale: row["locale"],
                hasOperator: row["hasOperator"], threadID: row["threadID"], isThreadOpen: row["isThreadOpen"],
                operator: try person.flatMap { try Content(JSONValue(parsing: $0)).operator },
                isBlocked: row["isBlocked"])
        }
    }
}

extension DeviceRecord {
    /// Returns the devices, oldest first.
    static func fetchAll(from database: Database) throws -> [DeviceRecord] {
        try Row.fetchAll(database, sql: "SELECT * FROM device ORDER BY position").map { row in
            DeviceRecord(address: row["address"], clientID: row["clientID"], pushToken: row["pushToken"])
        }
    }
}

extension ServerMessage {
    /// Returns the messages by ascending sequence number.
    static func fetchAll(from database: Database) throws -> [ServerMessage] {
        try Row.fetchAll(database, sql: "SELECT * FROM message ORDER BY sequence").map { row in
            let status: String = row["status"]
            return ServerMessage(
                sequence: row["sequence"], clientID: row["clientID"], messageID: row["messageID"], uuid: row["uuid"],
                isFromClient: row["isFromClient"], sentAt: row["sentAt"],
                // Only this server writes statuses. An unknown status of a later version counts as the lowest.
                status: MessageStatus(rawValue: status) ?? .sent, isInHistory: row["isInHistory"],
                content: Content(try JSONValue(parsing: row["content"] as String)),
                hasUntoldChange: row["hasUntoldChange"])
        }
    }
}
