import ChatServerCore
import ChatWire
import GRDB

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
