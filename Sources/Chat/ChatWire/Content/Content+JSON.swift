extension Content {
    /// Reads one item. This never fails: what cannot be understood becomes `.unknown` with the raw value, so that one
    /// bad item cannot cost the batch that it came in.
    package init(_ value: JSONValue) {
        guard let object = value.objectValue, let type = object["type"]?.stringValue else {
            self.init(.unknown(type: "", raw: value))
            return
        }
        var fields = FieldReader(object)
        _ = fields.string("type")
        self.init(.message)
        clientID = fields.identifier("clientId")
        threadID = fields.integer("threadId")
        uuid = fields.string("uuid")
        messageID = fields.identifier("messageId")
        `operator` = fields.nested("operator", Operator.init)
        text = fields.string("text")
        formattedText = fields.string("formattedText")
        receivedDate = fields.time("receivedDate")
        attachments = fields.objects("attachments", Attachment.init) ?? []
        quotes = fields.array("quotes")?.map(Content.init) ?? []
        quickReplies = fields.objects("quickReplies", QuickReply.init) ?? []
        read = fields.bool("read")
        display = fields.bool("display")
        settings = fields.nested("settings", MessageSettings.init)
        massPushMessage = fields.bool("massPushMessage")
        personalOffer = fields.bool("personalOffer")
        speechStatus = fields.string("speechStatus")
        speechText = fields.string("speechText")
        modified = fields.choice("modified", Modification.init(rawValue:))
        appMarker = fields.string("appMarker")
        apiVersion = fields.integer("chatApiVersion")
        body = ContentBody(type: type, fields: &fields, text: text) ?? .unknown(type: type, raw: value)
        problems = fields.problems
        if case .unknown = body { return }
        extra = fields.rest
    }

    /// The item as it is written. An unknown one is written as it came.
    package var json: JSONValue {
        if case .unknown(_, let raw) = body { return raw }
        var object = JSONObject()
        object.set("type", body.wireType)
        object.set("clientId", clientID)
        object.set("threadId", threadID)
        object.set("uuid", uuid)
        object.set("messageId", messageID)
        object.set("operator", `operator`?.json)
        object.set("text", text)
        object.set("formattedText", formattedText)
        object.set("receivedDate", time: receivedDate)
        object.set("attachments", attachments.map { .object($0.json) })
        object.set("quotes", quotes.map(\.json))
        object.set("quickReplies", quickReplies.map { .object($0.json) })
        object.set("read", read)
        object.set("display", display)
        object.set("settings", settings?.json)
        object.set("massPushMessage", massPushMessage)
        object.set("personalOffer", personalOffer)
        object.set("speechStatus", speechStatus)
        object.set("speechText", speechText)
        object.set("modified", modified?.rawValue)
        object.set("appMarker", appMarker)
        object.set("chatApiVersion", apiVersion)
        body.write(into: &object)
        object.append(missingFrom: extra)
        return .object(object)
    }
}
