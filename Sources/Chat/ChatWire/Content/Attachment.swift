/// A file that belongs to a message.
package struct Attachment: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case pending = "PENDING"
        case ready = "READY"
        case error = "ERROR"
        case expired = "EXPIRED"
    }

    package var id: String?
    /// The id that the file store gave, or an absolute URL.
    package var result: String?
    package var url: String?
    package var name: String?
    /// The MIME type.
    package var type: String?
    /// Bytes.
    package var size: Int64?
    package var state: State?
    package var errorCode: String?
    package var errorMessage: String?
    package var extra: JSONObject

    package init(
        id: String? = nil, result: String? = nil, url: String? = nil, name: String? = nil, type: String? = nil,
        size: Int64? = nil, state: State? = nil, errorCode: String? = nil, errorMessage: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.result = result
        self.url = url
        self.name = name
        self.type = type
        self.size = size
        self.state = state
        self.errorCode = errorCode
        self.errorMessage = errorMessage
        self.extra = extra
    }

    init(_ fields: inout FieldReader) {
        id = fields.identifier("id")
        result = fields.string("result")
        url = fields.string("url")
        name = fields.string("name")
        type = fields.string("type")
        size = fields.integer("size")
        state = fields.choice("state", State.init(rawValue:))
        errorCode = fields.string("errorCode")
        errorMessage = fields.string("errorMessage")
        extra = fields.rest
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("id", id)
        object.set("result", result)
        object.set("url", url)
        object.set("name", name)
        object.set("type", type)
        object.set("size", size)
        object.set("state", state?.rawValue)
        object.set("errorCode", errorCode)
        object.set("errorMessage", errorMessage)
        object.append(missingFrom: extra)
        return object
    }
}

/// Which files the server takes.
package struct AttachmentSettings: Hashable, Sendable {
    /// MB of 1024 × 1024 bytes.
    package var maxSize: Int64?
    package var fileExtensions: [String]
    package var extra: JSONObject

    package init(maxSize: Int64? = nil, fileExtensions: [String] = [], extra: JSONObject = [:]) {
        self.maxSize = maxSize
        self.fileExtensions = fileExtensions
        self.extra = extra
    }

    init(_ fields: inout FieldReader) {
        maxSize = fields.integer("maxSize")
        fileExtensions = fields.list("fileExtensions", "text") { $0.stringValue } ?? []
        extra = fields.rest
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("maxSize", maxSize)
        object.set("fileExtensions", fileExtensions.map { .string($0) })
        object.append(missingFrom: extra)
        return object
    }
}
