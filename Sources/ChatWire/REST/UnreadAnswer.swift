/// The answer to the unread call.
package struct UnreadAnswer: Hashable, Sendable {
    package var count: Int64

    package init(count: Int64) {
        self.count = count
    }

    package init(parsing bytes: [UInt8], limits: JSONLimits = .answer) throws(WireError) {
        let object = try JSONValue.object(parsing: bytes, limits: limits, in: "unread")
        count = try (object["count"]?.integerValue).required("count", in: "unread")
    }

    package var bytes: [UInt8] { JSONValue.object(["count": .integer(count)]).bytes }
}
