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
