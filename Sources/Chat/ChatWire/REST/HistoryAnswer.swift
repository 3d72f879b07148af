/// The answer to the history call. `messages` are bare contents, oldest first.
package struct HistoryAnswer: Hashable, Sendable {
    package var messages: [Content]
    package var agentInfo: JSONObject?
    package var allowedToSendMessages: Bool?
    package var extra: JSONObject = [:]
    /// Parts that could not be read and are kept in `extra`; those of messages are theirs.
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

    /// The answer as JSON in the words of `dialect`.
    package func bytes(in dialect: ChatDialect) -> [UInt8] {
        var object = JSONObject()
        object["messages"] = .array(messages.map(\.json))
        object.set("agentInfo", agentInfo)
        object.set("allowedToSendMessages", allowedToSendMessages)
        object.append(missingFrom: extra)
        return dialect.written(object)
    }
}

/// Which part of the history is asked for. A cursor is the uuid of a message and is not part of what it bounds.
package struct HistoryRequest: Hashable, Sendable {
    package enum Bound: Hashable, Sendable {
        /// The newest messages.
        case newest
        /// The messages right before this one.
        case before(uuid: String)
        /// The messages right after this one, oldest first.
        case after(uuid: String)
    }

    package var bound: Bound
    package var count: Int64

    package init(_ bound: Bound, count: Int64) {
        self.bound = bound
        self.count = count
    }
}
