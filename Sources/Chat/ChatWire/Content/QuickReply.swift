/// A button under the last message of a bot.
package struct QuickReply: Hashable, Sendable {
    package var id: String?
    package var type: String?
    package var text: String?
    package var imageURL: String?
    package var url: String?
    package var payload: String?
    package var extra: JSONObject

    package init(
        id: String? = nil, type: String? = "TEXT", text: String? = nil, imageURL: String? = nil, url: String? = nil,
        payload: String? = nil, extra: JSONObject = [:]
    ) {
        self.id = id
        self.type = type
        self.text = text
        self.imageURL = imageURL
        self.url = url
        self.payload = payload
        self.extra = extra
    }

    init(_ fields: inout FieldReader) {
        id = fields.identifier("id")
        type = fields.string("type")
        text = fields.string("text")
        imageURL = fields.string("imageUrl")
        url = fields.string("url")
        payload = fields.string("payload")
        extra = fields.rest
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("id", id)
        object.set("type", type)
        object.set("text", text)
        object.set("imageUrl", imageURL)
        object.set("url", url)
        object.set("payload", payload)
        object.append(missingFrom: extra)
        return object
    }
}
