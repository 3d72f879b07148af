import ChatWire

/// One client's state in memory: the record and the messages.
struct Conversation: Hashable, Sendable {
    private(set) var record: ClientRecord
    private(set) var log = MessageLog()
    /// The text that the client is typing, until it is sent.
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

    /// Modifies a message with this message id or uuid. Returns it, or `nil` if there is no such message or no change.
    mutating func update(_ name: String, _ change: (inout ServerMessage) -> Void) -> ServerMessage? {
        log.update(name, change)
    }

    /// Removes the oldest messages until the limits are met. Returns the last removed sequence number.
    mutating func trim(to limit: Int, bytes: Int) -> Int64? {
        log.trim(to: limit, bytes: bytes)
    }

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
