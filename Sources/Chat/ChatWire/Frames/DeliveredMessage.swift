/// An element of `messages` in `getMessages`: a content with information about its delivery.
package struct DeliveredMessage: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case normal = "NORMAL"
        /// A message that the client sent from another device.
        case mirror = "MIRROR"
    }

    package var messageID: String?
    /// The time in milliseconds since 1970, on the server's clock.
    package var sentAt: Int64?
    /// The text of the push notification for the message.
    package var notification: String?
    package var content: Content
    /// Attributes, as a JSON string.
    package var attributes: String?
    package var important: Bool?
    package var kind: Kind
    package var extra: JSONObject = [:]
    /// Parts that could not be read and are kept in `extra`. The content has its own list.
    package private(set) var problems: [WireProblem] = []
    /// Whether the element is a content without a surrounding message.
    private var isBare = false

    package init(
        messageID: String?, sentAt: Int64?, notification: String? = nil, content: Content,
        important: Bool? = false, kind: Kind = .normal
    ) {
        self.messageID = messageID
        self.sentAt = sentAt
        self.notification = notification
        self.content = content
        self.important = important
        self.kind = kind
    }

    /// Reads an element. This never fails: an element that is not a message is kept as an unknown content.
    init(_ value: JSONValue) {
        var fields = FieldReader(value.objectValue ?? [:])
        let content = fields.object("content").map { Content(.object($0)) }
        // A SCHEDULE without a surrounding message has its own `content` key and no key of a message.
        let isWrapped = ["messageId", "sentAt", "messageType"].contains { value.objectValue?[$0] != nil }
        guard let content, isWrapped || value.objectValue?["type"] == nil else {
            self.init(messageID: nil, sentAt: nil, content: Content(value), important: nil)
            isBare = true
            return
        }
        self.init(messageID: nil, sentAt: nil, content: content)
        messageID = fields.identifier("messageId")
        sentAt = fields.time("sentAt")
        notification = fields.string("notification")
        attributes = fields.string("attributes")
        important = fields.bool("important")
        kind = fields.choice("messageType", Kind.init(rawValue:)) ?? .normal
        extra = fields.rest
        problems = fields.problems
    }

    /// The element as JSON. Missing `attributes` are written as `null`.
    var json: JSONValue {
        if isBare { return content.json }
        var object = JSONObject()
        object.set("messageId", messageID)
        object.set("sentAt", time: sentAt)
        object.set("notification", notification)
        object["content"] = content.json
        object["attributes"] = attributes.map { .string($0) } ?? .null
        object.set("important", important)
        if extra["messageType"] == nil { object.set("messageType", kind.rawValue) }
        object.append(missingFrom: extra)
        return .object(object)
    }
}
