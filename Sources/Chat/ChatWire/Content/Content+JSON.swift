extension Content {
    /// Reads an item. This never fails: an item that cannot be read becomes `.unknown` with the raw value, so that one
    /// invalid item does not affect the others in its batch.
    package init(_ value: JSONValue) {
        guard let object = value.objectValue, let type = object["type"]?.stringValue else {
            self.init(.unknown(type: "", raw: value))
            return
        }
        var fields = FieldReader(object)
        _ = fields.string("type")
        self.init(.message)
        visit(&fields)
        body = ContentBody(type: type, fields: &fields, text: text) ?? .unknown(type: type, raw: value)
        problems = fields.problems
        if case .unknown = body { return }
        extra = fields.rest
    }

    /// The item as JSON. An unknown item is written unchanged.
    package var json: JSONValue {
        if case .unknown(_, let raw) = body { return raw }
        var (copy, writer) = (self, FieldWriter(object: ["type": .string(body.wireType)]))
        copy.visit(&writer)
        body.write(into: &writer.object)
        writer.object.append(missingFrom: extra)
        return .object(writer.object)
    }

    /// Passes the keys that all types share to the visitor.
    private mutating func visit(_ fields: inout some FieldVisitor) {
        fields.identifier("clientId", &clientID)
        fields.integer("threadId", &threadID)
        fields.string("uuid", &uuid)
        fields.identifier("messageId", &messageID)
        fields.nested("operator", &`operator`)
        fields.string("text", &text)
        fields.string("formattedText", &formattedText)
        fields.time("receivedDate", &receivedDate)
        fields.objects("attachments", &attachments)
        fields.contents("quotes", &quotes)
        fields.objects("quickReplies", &quickReplies)
        fields.bool("read", &read)
        fields.bool("display", &display)
        fields.nested("settings", &settings)
        fields.bool("massPushMessage", &massPushMessage)
        fields.bool("personalOffer", &personalOffer)
        fields.string("speechStatus", &speechStatus)
        fields.string("speechText", &speechText)
        fields.choice("modified", &modified)
        fields.string("appMarker", &appMarker)
        fields.integer("chatApiVersion", &apiVersion)
    }
}
