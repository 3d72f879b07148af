/// The delivery status of a message, in increasing order.
package enum MessageStatus: String, Hashable, Sendable, Comparable, CaseIterable {
    case sent
    case delivered
    case read

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: MessageStatus, right: MessageStatus) -> Bool { left.rank < right.rank }
}

/// An element of `statuses`: the message has reached at least this status.
package struct StatusChange: Hashable, Sendable {
    package var messageID: String
    package var status: MessageStatus
    package var extra: JSONObject = [:]

    package init(messageID: String, status: MessageStatus) {
        self.messageID = messageID
        self.status = status
    }

    /// Reads an element. Returns `nil` if its id or status cannot be read.
    init?(_ fields: inout FieldReader) {
        guard let id = fields.identifier("messageId"),
            let status = fields.choice("status", MessageStatus.init(rawValue:))
        else { return nil }
        self.init(messageID: id, status: status)
        extra = fields.rest
    }

    /// Reads the valid elements. The frame keeps the other elements.
    static func list(_ fields: inout FieldReader, in context: String) throws(WireError) -> [StatusChange] {
        try fields.objects("statuses", StatusChange.init).required("statuses", in: context)
    }

    var json: JSONValue {
        var object: JSONObject = ["messageId": .string(messageID), "status": .string(status.rawValue)]
        object.append(missingFrom: extra)
        return .object(object)
    }
}

/// The `data` of the reply to `sendMessage`.
package struct SendReceipt: Hashable, Sendable {
    package var messageID: String
    /// The time in milliseconds since 1970, on the server's clock.
    package var sentAt: Int64?
    package var status: MessageStatus
    package var extra: JSONObject = [:]

    package init(
        messageID: String, sentAt: Int64?, status: MessageStatus = .sent
    ) {
        self.messageID = messageID
        self.sentAt = sentAt
        self.status = status
    }

    init(_ fields: inout FieldReader) throws(WireError) {
        messageID = try fields.identifier("messageId").required("messageId", in: "sendMessage")
        sentAt = fields.time("sentAt")
        status = fields.choice("status", MessageStatus.init(rawValue:)) ?? .sent
        extra = fields.rest
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("messageId", messageID)
        object.set("sentAt", time: sentAt)
        if extra["status"] == nil { object.set("status", status.rawValue) }
        object.append(missingFrom: extra)
        return object
    }
}
