/// One item of a conversation: the keys that all types share, and the body that the type decides.
package struct Content: Hashable, Sendable {
    package enum Modification: String, Hashable, Sendable {
        case edited = "EDITED"
        case deleted = "DELETED"
    }

    package var body: ContentBody
    package var clientID: String?
    package var threadID: Int64?
    /// Made by the author; the idempotency key of what a client sends, and the identity of a message for ever.
    package var uuid: String?
    /// The server's name for the message where the content stands alone (history, search). Holdfast's own key; without
    /// it the uuid serves.
    package var messageID: String?
    package var `operator`: Operator?
    package var text: String?
    /// The text as Markdown.
    package var formattedText: String?
    /// Milliseconds since 1970, by the server's clock.
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
    /// Keys that this version does not know, and known ones whose value was of the wrong kind.
    package var extra: JSONObject
    /// Parts that could not be read and are kept in `extra`; those of quotes are theirs.
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

    /// What could not be read, here and in the quotes.
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

/// What one message does to the input field.
package struct MessageSettings: Hashable, Sendable, OptionalFields {
    /// The client may not type until this message is answered.
    package var blockInput: Bool?
    /// The answer is shown masked.
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
