/// The answer to the history call. `messages` are bare contents, oldest first.
package struct HistoryAnswer: Hashable, Sendable {
    package var messages: [Content]
    package var agentInfo: JSONObject?
    package var allowedToSendMessages: Bool?
    package var extra: JSONObject

    package init(
        messages: [Content], agentInfo: JSONObject? = nil, allowedToSendMessages: Bool? = nil, extra: JSONObject = [:]
    ) {
        self.messages = messages
        self.agentInfo = agentInfo
        self.allowedToSendMessages = allowedToSendMessages
        self.extra = extra
    }

    package init(parsing bytes: [UInt8], limits: JSONLimits = .answer) throws(WireError) {
        let object = try JSONValue.object(parsing: bytes, limits: limits, in: "history")
        var fields = FieldReader(object)
        messages = try fields.array("messages").required("messages", in: "history").map(Content.init)
        agentInfo = fields.object("agentInfo")
        allowedToSendMessages = fields.bool("allowedToSendMessages")
        extra = fields.rest
    }

    package var bytes: [UInt8] {
        var object = JSONObject()
        object["messages"] = .array(messages.map(\.json))
        object.set("agentInfo", agentInfo)
        object.set("allowedToSendMessages", allowedToSendMessages)
        object.append(missingFrom: extra)
        return JSONValue.object(object).bytes
    }
}
