/// A file that belongs to a message.
package struct Attachment: Hashable, Sendable, OptionalFields {
    package enum State: String, Hashable, Sendable {
        case pending = "PENDING"
        case ready = "READY"
        case error = "ERROR"
        case expired = "EXPIRED"
    }

    package var id: String?
    /// The id that the file store assigned, or an absolute URL.
    package var result: String?
    package var url: String?
    package var name: String?
    /// The MIME type.
    package var type: String?
    /// The size in bytes.
    package var size: Int64?
    /// The length of a voice message in milliseconds.
    package var duration: Int64?
    package var state: State?
    package var errorCode: String?
    package var errorMessage: String?
    package var extra: JSONObject = [:]

    package init(
        id: String? = nil, result: String? = nil, url: String? = nil, name: String? = nil, type: String? = nil,
        size: Int64? = nil, duration: Int64? = nil, state: State? = nil, errorCode: String? = nil,
        errorMessage: String? = nil
    ) {
        self.id = id
        self.result = result
        self.url = url
        self.name = name
        self.type = type
        self.size = size
        self.duration = duration
        self.state = state
        self.errorCode = errorCode
        self.errorMessage = errorMessage
    }

    init() {}

    /// Whether the MIME type is audio. The type can also be only the word.
    package var isAudio: Bool {
        guard let type = type?.lowercased() else { return false }
        return type == "audio" || type.hasPrefix("audio/")
    }

    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.identifier("id", &id)
        fields.string("result", &result)
        fields.string("url", &url)
        fields.string("name", &name)
        fields.string("type", &type)
        fields.integer("size", &size)
        fields.integer("duration", &duration)
        fields.choice("state", &state, writesNull: false)
        fields.string("errorCode", &errorCode)
        fields.string("errorMessage", &errorMessage)
    }
}
