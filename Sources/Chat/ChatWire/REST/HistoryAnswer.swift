/// The answer to the history call. `messages` contains contents without surrounding messages, oldest first.
package struct HistoryAnswer: Hashable, Sendable {
    package var messages: [Content]
    package var agentInfo: JSONObject?
    package var allowedToSendMessages: Bool?
    package var extra: JSONObject = [:]
    /// Parts that could not be read and are kept in `extra`. Messages have their own lists.
    package private(set) var problems: [WireProblem] = []

    package init(
        messages: [Content], agentInfo: JSONObject? = nil, allowedToSendMessages: Bool? = nil
    ) {
        self.messages = messages
        self.agentInfo = agentInfo
        self.allowedToSendMessages = allowedToSendMessages
    }

    package init(
        parsing bytes: [UInt8], limits: JSONLimits = .answer, dialect: ChatDialect = .documented
    ) throws(WireError) {
        let object = try JSONValue.object(parsing: bytes, limits: limits, in: "history", dialect)
        var fields = FieldReader(object)
        messages = try fields.array("messages").required("messages", in: "history").map(Content.init)
        agentInfo = fields.object("agentInfo")
        allowedToSendMessages = fields.bool("allowedToSendMessages")
        extra = fields.rest
        problems = fields.problems
    }

    package var bytes: [UInt8] { bytes(in: .documented) }

    /// Returns the answer as JSON with the names of `dialect`.
    package func bytes(in dialect: ChatDialect) -> [UInt8] {
        var object = JSONObject()
        object["messages"] = .array(messages.map(\.json))
        object.set("agentInfo", agentInfo)
        object.set("allowedToSendMessages", allowedToSendMessages)
        object.append(missingFrom: extra)
        return dialect.written(object)
    }
}

/// The requested part of the history. A cursor is the UUID of a message, which is not part of the result.
package struct HistoryRequest: Hashable, Sendable {
    package enum Bound: Hashable, Sendable {
        /// The newest messages.
        case newest
        /// The messages directly before this one.
        case before(uuid: String)
        /// The messages directly after this one, oldest first.
        case after(uuid: String)
    }

    package var bound: Bound
    package var count: Int64

    package init(_ bound: Bound, count: Int64) {
        self.bound = bound
        self.count = count
    }
}
