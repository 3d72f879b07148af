/// `data` of the reply to `sendMessage`.
package struct SendReceipt: Hashable, Sendable {
    package var messageID: String
    /// Milliseconds since 1970, by the server's clock.
    package var sentAt: Int64?
    package var status: MessageStatus

    package init(messageID: String, sentAt: Int64?, status: MessageStatus = .sent) {
        self.messageID = messageID
        self.sentAt = sentAt
        self.status = status
    }

    init(_ data: JSONObject) throws(WireError) {
        var fields = FieldReader(data)
        messageID = try fields.identifier("messageId").required("messageId", in: "sendMessage")
        sentAt = fields.time("sentAt")
        status = fields.choice("status", MessageStatus.init(rawValue:)) ?? .sent
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("messageId", messageID)
        object.set("sentAt", time: sentAt)
        object.set("status", status.rawValue)
        return object
    }
}
