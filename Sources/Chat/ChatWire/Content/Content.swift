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
