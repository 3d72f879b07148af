package import ChatWire

/// One client's state in memory: the record and the messages.
struct Conversation: Hashable, Sendable {
    var record: ClientRecord
    var log = MessageLog()
    /// The text that the client is typing, until it is sent.
    var draft: String?

    // MARK: Statuses

    /// Applies the client's status changes to the operators' messages. A status never decreases. Returns the changed
    /// messages.
    mutating func confirm(_ changes: [StatusChange]) -> [ServerMessage] {
        changes.compactMap { change in
            log.update(change.messageID) { message in
                if !message.isFromClient { message.status = max(message.status, change.status) }
            }
        }
    }

    /// Raises the status of the client's messages up to a sequence number. Returns the changed messages.
    mutating func raise(_ status: MessageStatus, through sequence: Int64) -> [ServerMessage] {
        let behind = log.messages.filter { message in
            message.isFromClient && message.isInHistory && message.status < status && message.sequence <= sequence
        }
        return behind.compactMap { message in log.update(message.messageID) { $0.status = status } }
    }

    // MARK: Queries

    /// The newest message in the history.
    var newest: ServerMessage? { log.messages.last(where: \.isInHistory) }

    /// Returns the client's summary for operators.
    func summary(sockets: Int, devices: Int) -> ClientSummary {
        ClientSummary(
            record: record, sockets: sockets, devices: devices, draft: draft,
            messages: log.messages.count { $0.isInHistory }, unread: log.unreadCount,
            unanswered: log.messages.count { $0.isFromClient && $0.isInHistory && $0.status < .read },
            lastDate: log.messages.last?.sentAt)
    }
}

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
