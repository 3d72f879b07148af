package import ChatWire

/// What the server stores about a client, apart from messages.
package struct ClientRecord: Hashable, Sendable {
    package var clientID: String
    package var name: String?
    package var data: JSONObject?
    package var locale: String?
    /// Whether an operator is in the conversation.
    package var hasOperator: Bool
    /// The number of the current or last thread; 0 before the first.
    package var threadID: Int64
    package var isThreadOpen: Bool
    /// The operator in the conversation, if it is not the bot.
    package var `operator`: Operator?
    /// Whether the client is blocked from writing.
    package var isBlocked: Bool

    package init(
        clientID: String, name: String? = nil, data: JSONObject? = nil, locale: String? = nil,
        hasOperator: Bool = false, threadID: Int64 = 0, isThreadOpen: Bool = false,
        operator: Operator? = nil, isBlocked: Bool = false
    ) {
        self.clientID = clientID
        self.name = name
        self.data = data
        self.locale = locale
        self.hasOperator = hasOperator
        self.threadID = threadID
        self.isThreadOpen = isThreadOpen
        self.operator = `operator`
        self.isBlocked = isBlocked
    }
}
