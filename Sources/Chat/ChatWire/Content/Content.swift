/// An item of a conversation: the keys that all types share, and the body that depends on the type.
package struct Content: Hashable, Sendable {
    package enum Modification: String, Hashable, Sendable {
        case edited = "EDITED"
        case deleted = "DELETED"
    }

    package var body: ContentBody
    package var clientID: String?
    package var threadID: Int64?
    /// The UUID that the author created. It identifies the message permanently and serves as the idempotency key when a
    /// client sends it.
    package var uuid: String?
    /// The server's id of the message, for contents without a surrounding message (history, search). This key is
    /// Holdfast's own; without it, the UUID is used.
    package var messageID: String?
    package var `operator`: Operator?
    package var text: String?
    /// The text as Markdown.
    package var formattedText: String?
    /// The time in milliseconds since 1970, on the server's clock.
    package var receivedDate: Int64?
    package var attachments: [Attachment]
    package var quotes: [Content]
    package var quickReplies: [QuickReply]
    package var read: Bool?
    package var display: Bool?
    package var settings: MessageSettings?
    package var massPushMessage: Bool?
    package var personalOffer: Bool?
    package var speechStatus: String?
    package var speechText: String?
    package var modified: Modification?
    package var appMarker: String?
    package var apiVersion: Int64?
    /// Unknown keys, and known keys whose value has the wrong type.
    package var extra: JSONObject
    /// Parts that could not be read and are kept in `extra`. Quotes have their own lists.
    package internal(set) var problems: [WireProblem] = []

    package init(
        _ body: ContentBody, clientID: String? = nil, threadID: Int64? = nil, uuid: String? = nil,
        messageID: String? = nil, operator: Operator? = nil, text: String? = nil, formattedText: String? = nil,
        receivedDate: Int64? = nil, attachments: [Attachment] = [], quotes: [Content] = [],
        quickReplies: [QuickReply] = [], read: Bool? = nil, display: Bool? = nil, settings: MessageSettings? = nil,
        modified: Modification? = nil, appMarker: String? = nil, apiVersion: Int64? = nil, extra: JSONObject = [:]
    ) {
        self.body = body
        self.clientID = clientID
        self.threadID = threadID
        self.uuid = uuid
        self.messageID = messageID
        self.operator = `operator`
        self.text = text
        self.formattedText = formattedText
        self.receivedDate = receivedDate
        self.attachments = attachments
        self.quotes = quotes
        self.quickReplies = quickReplies
        self.read = read
        self.display = display
        self.settings = settings
        self.modified = modified
        self.appMarker = appMarker
        self.apiVersion = apiVersion
        self.extra = extra
    }

    /// All parts that could not be read, including those of the quotes.
    package var allProblems: [WireProblem] {
        var all = problems
        for (index, quote) in quotes.enumerated() {
            all += quote.allProblems.map { $0.inside("quotes[\(index)]") }
        }
        return all
    }

    /// The type name on the wire.
    package var wireType: String { body.wireType }
}

/// The effects of a message on the input field.
package struct MessageSettings: Hashable, Sendable, OptionalFields {
    /// Whether the client may not type until this message is answered.
    package var blockInput: Bool?
    /// Whether the answer is shown masked.
    package var masked: Bool?
    package var extra: JSONObject = [:]

    package init(blockInput: Bool? = nil, masked: Bool? = nil) {
        self.blockInput = blockInput
        self.masked = masked
    }

    init() {}

    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.bool("blockInput", &blockInput)
        fields.bool("masked", &masked)
    }
}

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
        fields.choice("modified", &modified, writesNull: false)
        fields.string("appMarker", &appMarker)
        fields.integer("chatApiVersion", &apiVersion)
    }
}

/// A quick-reply button below a bot's last message.
package struct QuickReply: Hashable, Sendable, OptionalFields {
    package var id: String?
    package var type: String?
    package var text: String?
    package var imageURL: String?
    package var url: String?
    package var payload: String?
    package var extra: JSONObject = [:]

    package init(
        id: String? = nil, type: String? = "TEXT", text: String? = nil, imageURL: String? = nil, url: String? = nil,
        payload: String? = nil
    ) {
        self.id = id
        self.type = type
        self.text = text
        self.imageURL = imageURL
        self.url = url
        self.payload = payload
    }

    init() {}

    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.identifier("id", &id)
        fields.string("type", &type)
        fields.string("text", &text)
        fields.string("imageUrl", &imageURL)
        fields.string("url", &url)
        fields.string("payload", &payload)
    }
}
