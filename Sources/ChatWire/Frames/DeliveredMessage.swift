/// One element of `messages` in `getMessages`: a content with what the server knows about its delivery.
package struct DeliveredMessage: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case normal = "NORMAL"
        /// The client's own message, sent from another of his devices.
        case mirror = "MIRROR"
    }

    package var messageID: String?
    /// Milliseconds since 1970, by the server's clock.
    package var sentAt: Int64?
    /// The text of the push notification that goes with the message.
    package var notification: String?
    package var content: Content
    /// JSON as text.
    package var attributes: String?
    package var important: Bool?
    package var kind: Kind
    package var extra: JSONObject

    package init(
        messageID: String?, sentAt: Int64?, notification: String? = nil, content: Content, attributes: String? = nil,
        important: Bool? = false, kind: Kind = .normal, extra: JSONObject = [:]
    ) {
        self.messageID = messageID
        self.sentAt = sentAt
        self.notification = notification
        self.content = content
        self.attributes = attributes
        self.important = important
        self.kind = kind
        self.extra = extra
    }

    /// Never fails: an element that is no message is kept as an unknown content.
    init(_ value: JSONValue) {
        guard let object = value.objectValue else {
            self.init(messageID: nil, sentAt: nil, content: Content(value), important: nil)
            return
        }
        var fields = FieldReader(object)
        self.init(messageID: nil, sentAt: nil, content: Content(fields.object("content").map { .object($0) } ?? value))
        messageID = fields.identifier("messageId")
        sentAt = fields.time("sentAt")
        notification = fields.string("notification")
        attributes = fields.string("attributes")
        important = fields.bool("important")
        kind = fields.choice("messageType", Kind.init(rawValue:)) ?? .normal
        extra = fields.rest
    }

    /// `attributes` is written also when there are none, as `null`.
    var json: JSONValue {
        var object = JSONObject()
        object.set("messageId", messageID)
        object.set("sentAt", time: sentAt)
        object.set("notification", notification)
        object["content"] = content.json
        object["attributes"] = attributes.map { .string($0) } ?? .null
        object.set("important", important)
        object.set("messageType", kind.rawValue)
        object.append(missingFrom: extra)
        return .object(object)
    }
}
