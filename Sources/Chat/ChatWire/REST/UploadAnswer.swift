/// The answer to an upload: the id for downloading the file, and the properties that the store recorded.
package struct UploadAnswer: Hashable, Sendable {
    package var result: String
    package var name: String?
    /// The size in bytes.
    package var size: Int64?
    /// The MIME type.
    package var type: String?
    package var extra: JSONObject = [:]

    package init(
        result: String, name: String? = nil, size: Int64? = nil, type: String? = nil
    ) {
        self.result = result
        self.name = name
        self.size = size
        self.type = type
    }

    package init(
        parsing bytes: [UInt8], limits: JSONLimits = .answer, dialect: ChatDialect = .documented
    ) throws(WireError) {
        let object = try JSONValue.object(parsing: bytes, limits: limits, in: "upload", dialect)
        var fields = FieldReader(object)
        result = try fields.identifier("result").required("result", in: "upload")
        var optional = FieldReader(fields.object("optional") ?? [:])
        name = optional.string("name")
        size = optional.integer("size")
        type = optional.string("type")
        if !optional.rest.isEmpty { fields.leave(.object(optional.rest), of: "optional") }
        extra = fields.rest
    }

    package var bytes: [UInt8] { bytes(in: .documented) }

    /// Returns the answer as JSON with the names of `dialect`.
    package func bytes(in dialect: ChatDialect) -> [UInt8] {
        var optional = JSONObject()
        optional.set("name", name)
        optional.set("size", size)
        optional.set("type", type)
        var object: JSONObject = ["result": .string(result)]
        if extra["optional"] == nil || !optional.isEmpty { object["optional"] = .object(optional) }
        object.append(missingFrom: extra)
        return dialect.written(object)
    }
}
