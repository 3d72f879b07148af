import ChatWire

/// One client in memory: what is known of the client, and the messages.
struct Conversation: Hashable, Sendable {
    private(set) var record: ClientRecord
    private(set) var log = MessageLog()
    /// What the client is typing, until it is sent.
    private(set) var draft: String?

    init(_ record: ClientRecord) {
        self.record = record
    }

    mutating func change(_ change: (inout ClientRecord) -> Void) {
        change(&record)
    }

    mutating func type(_ draft: String?) {
        self.draft = draft
    }

    mutating func append(_ message: ServerMessage) {
        log.append(message)
    }

    /// Changes a message, named by its message id or uuid. Returns it, or `nil` without such a message or without a change.
    mutating func update(_ name: String, _ change: (inout ServerMessage) -> Void) -> ServerMessage? {
        log.update(name, change)
    }

    /// Forgets the oldest messages until so many are left. Returns the last sequence number that went.
    mutating func trim(to limit: Int, bytes: Int) -> Int64? {
        log.trim(to: limit, bytes: bytes)
    }

    // MARK: Statuses

    /// Takes what the client says of the operators' messages. A status never goes back. Returns the messages that changed.
    mutating func confirm(_ changes: [StatusChange]) -> [ServerMessage] {
        changes.compactMap { change in
            log.update(change.messageID) { message in
                if !message.isFromClient { message.status = max(message.status, change.status) }
            }
        }
    }

    /// Raises the status of the client's messages up to a sequence number. Returns the messages that changed.
    mutating func raise(_ status: MessageStatus, through sequence: Int64) -> [ServerMessage] {
        let behind = log.messages.filter { message in
            message.isFromClient && message.isInHistory && message.status < status && message.sequence <= sequence
        }
        return behind.compactMap { message in log.update(message.messageID) { $0.status = status } }
    }

    // MARK: Queries

    /// The newest message of the history.
    var newest: ServerMessage? { log.messages.last(where: \.isInHistory) }

    /// The client as an operator sees it.
    func summary(sockets: Int, devices: Int) -> ClientSummary {
        ClientSummary(
            record: record, sockets: sockets, devices: devices, draft: draft,
            messages: log.messages.count { $0.isInHistory }, unread: log.unreadCount,
            unanswered: log.messages.count { $0.isFromClient && $0.isInHistory && $0.status < .read },
            lastDate: log.messages.last?.sentAt)
    }
}
