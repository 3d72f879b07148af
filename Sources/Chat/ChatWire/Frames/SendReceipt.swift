/// `data` of the reply to `sendMessage`.
package struct SendReceipt: Hashable, Sendable {
    package var messageID: String
    /// Milliseconds since 1970, by the server's clock.
    package var sentAt: Int64?
    package var status: MessageStatus
    package var extra: JSONObject

    package init(
        messageID: String, sentAt: Int64?, status: MessageStatus = .sent, extra: JSONObject = [:]
    ) {
        self.extra = extra
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
