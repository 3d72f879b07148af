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
