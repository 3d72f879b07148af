/// The answer to the unread call.
package struct UnreadAnswer: Hashable, Sendable {
    package var count: Int64
    package var extra: JSONObject

    package init(count: Int64, extra: JSONObject = [:]) {
        self.count = count
        self.extra = extra
    }

    package init(
        parsing bytes: [UInt8], limits: JSONLimits = .answer, dialect: ChatDialect = .documented
    ) throws(WireError) {
        var fields = FieldReader(try JSONValue.object(parsing: bytes, limits: limits, in: "unread", dialect))
        count = try fields.integer("count").required("count", in: "unread")
        extra = fields.rest
    }

    package var bytes: [UInt8] { bytes(in: .documented) }

    /// The answer as JSON in the words of `dialect`.
    package func bytes(in dialect: ChatDialect) -> [UInt8] {
        var object: JSONObject = ["count": .integer(count)]
        object.append(missingFrom: extra)
        return dialect.written(object)
    }
}
