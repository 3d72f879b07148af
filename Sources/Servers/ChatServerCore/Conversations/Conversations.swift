import ChatWire
import OrderedCollections

/// The conversations of all clients, in the order of the clients' first appearance.
///
/// The methods implement the rules of a conversation: who may write what, when a thread opens and closes, and what
/// operators can do. They add what must be stored and sent to a ``ConversationTurn``.
struct Conversations: Hashable, Sendable {
    private var clients: OrderedDictionary<String, Conversation> = [:]
    private var nextSequence: Int64 = 1
    /// The bot, if there is one.
    let bot: BotSettings?
    let limits: ServerLimits

    /// Creates conversations from the stored state of an earlier run.
    init(bot: BotSettings?, limits: ServerLimits, restored: ServerSnapshot) {
        self.bot = bot
        self.limits = limits
        for record in restored.clients { clients[record.clientID] = Conversation(record: record) }
        for message in restored.messages {
            clients[message.clientID]?.log.append(message)
            nextSequence = max(nextSequence, message.sequence + 1)
        }
    }

    /// The number of clients.
    var count: Int { clients.count }

    /// The clients in the order of their first appearance.
    var clientIDs: [String] { Array(clients.keys) }

    subscript(clientID: String) -> Conversation? { clients[clientID] }

    /// Adds a client unless it is known. Returns `false` when the limit is reached.
    mutating func admit(_ clientID: String, _ turn: inout ServerTurn) -> Bool {
        guard clients[clientID] == nil else { return true }
        guard clients.count < limits.clients else { return false }
        let record = ClientRecord(clientID: clientID)
        clients[clientID] = Conversation(record: record)
        turn.write(.client(record))
        return true
    }

    /// Modifies a client's record.
    mutating func change(_ clientID: String, _ turn: inout ConversationTurn, _ change: (inout ClientRecord) -> Void) {
        guard var record = clients[clientID]?.record else { return }
        change(&record)
        clients[clientID]?.record = record
        turn.write(.client(record))
    }

    /// Modifies a message. Returns it, or `nil` if there is no such message or no change.
    mutating func update(
        _ name: String, in clientID: String, _ turn: inout ConversationTurn, _ change: (inout ServerMessage) -> Void
    ) -> ServerMessage? {
        guard let changed = clients[clientID]?.log.update(name, change) else { return nil }
        turn.write(.messageChanged(changed))
        return changed
    }

    // MARK: Information from clients

    /// Stores a client's information about itself.
    mutating func introduce(_ info: ClientInfo, by clientID: String, _ turn: inout ConversationTurn) {
        guard var record = clients[clientID]?.record else { return }
        record.name = info.name
        record.data = info.data
        record.locale = info.locale
        if record != clients[clientID]?.record { change(clientID, &turn) { $0 = record } }
    }

    /// Stores the text that a client is typing.
    mutating func type(_ draft: String?, by clientID: String) {
        let draft = draft.map { String($0.prefix(limits.textLength)) }
        clients[clientID]?.draft = draft
    }

    /// Applies a client's status changes to the operators' messages.
    mutating func confirm(_ changes: [StatusChange], by clientID: String, _ turn: inout ConversationTurn) {
        for message in clients[clientID]?.confirm(changes) ?? [] { turn.write(.messageChanged(message)) }
    }

    /// Raises the status of the client's messages up to a sequence number. Returns the changed messages.
    mutating func raised(_ status: MessageStatus, in clientID: String, through sequence: Int64) -> [ServerMessage] {
        clients[clientID]?.raise(status, through: sequence) ?? []
    }

    /// Takes what a client has missed: messages that it did not confirm, and changes that it was not told of. Each
    /// change is sent once, to the first socket that connects; other sockets get it from the history.
    mutating func takeMissed(by clientID: String, _ turn: inout ConversationTurn) -> [DeliveredMessage] {
        let unconfirmed = clients[clientID]?.log.unconfirmed(limit: limits.unconfirmedMessages) ?? []
        let missed = unconfirmed.map { $0.delivered() }
        let untold = clients[clientID]?.log.messages.filter { $0.hasUntoldChange } ?? []
        var notices: [DeliveredMessage] = []
        for message in untold.suffix(limits.unconfirmedMessages) {
            let told = update(message.messageID, in: clientID, &turn) { $0.hasUntoldChange = false }
            if let told { notices += told.changeNotices }
        }
        return missed + notices
    }

    // MARK: Messages of clients

    /// The result of a client's message.
    enum Outcome: Hashable, Sendable {
        /// The message was stored.
        case kept(ServerMessage)
        /// The message was stored before: it is answered like the first time, without other effects.
        case repeated(ServerMessage)
        case refused(ErrorAnswer)
    }

    /// Handles a client's message. With `inHistory`, it is part of the conversation and opens a thread.
    mutating func take(
        _ content: Content, from clientID: String, inHistory: Bool, isSendingAllowed: Bool,
        _ turn: inout ConversationTurn
    ) -> Outcome {
        guard let uuid = content.uuid, !uuid.isEmpty, limits.accepts(identifier: uuid) else {
            return .refused(ErrorAnswer("message.uuid"))
        }
        // The uuid is the idempotency key.
        if let known = clients[clientID]?.log[uuid: uuid] {
            return known.isFromClient ? .repeated(known) : .refused(ErrorAnswer("message.uuid"))
        }
        if let failure = limits.refusal(ofSizeOf: content) { return .refused(failure) }
        if inHistory {
            if clients[clientID]?.record.isBlocked == true { return .refused(ErrorAnswer("client.blocked")) }
            if !isSendingAllowed { return .refused(ErrorAnswer("schedule.closed")) }
            if let failure = limits.refusal(of: content) { return .refused(failure) }
        }
        clients[clientID]?.draft = nil
        if inHistory { openThread(of: clientID, &turn) }
        guard
            let message = append(content, uuid: uuid, isFromClient: true, inHistory: inHistory, to: clientID, &turn)
        else { return .refused(ErrorAnswer("device.not-registered")) }
        return .kept(message)
    }

    /// Assigns ids and a position to a content, and stores it. Returns `nil` for an unknown client.
    mutating func append(
        _ content: Content, uuid: String, isFromClient: Bool, inHistory: Bool, to clientID: String,
        _ turn: inout ConversationTurn
    ) -> ServerMessage? {
        guard let threadID = clients[clientID]?.record.threadID, let last = clients[clientID]?.log.lastDate else {
            return nil
        }
        var content = content
        content.uuid = uuid
        content.threadID = threadID
        // The dates of a conversation always increase, independent of the wall clock.
        let date = last < turn.now.wall ? turn.now.wall : last + 1
        let message = ServerMessage(
            sequence: nextSequence, clientID: clientID, messageID: turn.uuid(), uuid: uuid,
            isFromClient: isFromClient, sentAt: date, isInHistory: inHistory, content: content)
        nextSequence += 1
        clients[clientID]?.log.append(message)
        turn.write(.message(message))
        makeRoom(in: clientID, &turn)
        return message
    }

    // MARK: Limits

    /// Removes the oldest messages of this client, and of the clients with most messages, until all limits are met.
    mutating func makeRoom(in clientID: String, _ turn: inout ConversationTurn) {
        trim(clientID, toBytes: limits.bytesPerClient, &turn)
        var total = 0
        for index in clients.elements.indices { total += clients.values[index].log.bytes }
        while total > limits.messageBytes {
            guard
                let largest = clients.elements.indices.max(by: {
                    clients.values[$0].log.bytes < clients.values[$1].log.bytes
                })
            else { return }
            let before = clients.values[largest].log.bytes
            trim(clients.keys[largest], toBytes: max(0, before - (total - limits.messageBytes)), &turn)
            let freed = before - clients.values[largest].log.bytes
            // Every client has at most one message, so nothing can be removed.
            guard freed > 0 else { return }
            total -= freed
        }
    }

    private mutating func trim(_ clientID: String, toBytes bytes: Int, _ turn: inout ConversationTurn) {
        if let last = clients[clientID]?.log.trim(to: limits.messagesPerClient, bytes: bytes) {
            turn.write(.messagesRemoved(clientID: clientID, through: last))
        }
    }
}

/// Queries of clients and operators.
extension Conversations {
    /// Returns a page of the history. An unknown or removed client has no messages.
    func history(_ request: HistoryRequest, of clientID: String?, isSendingAllowed: Bool) -> HistoryAnswer {
        let record = clientID.flatMap { self[$0]?.record }
        let count = Int(min(max(1, request.count), Int64(limits.historyCount)))
        let agent = record.flatMap { $0.hasOperator ? speaker(for: $0.clientID).wireObject : nil }
        return HistoryAnswer(
            messages: log(of: clientID).page(request.bound, count: count).map(\.historyContent), agentInfo: agent,
            allowedToSendMessages: isSendingAllowed && record?.isBlocked != true)
    }

    /// Returns the number of messages that a client has not read.
    func unreadCount(of clientID: String?) -> UnreadAnswer {
        let log = log(of: clientID)
        return UnreadAnswer(count: Int64(log.unreadCount), lastDate: log.messages.last?.sentAt)
    }

    /// Returns a page of the messages whose text contains the query. Returns `nil` if the query is too long.
    func search(_ query: String, page: Int64, size: Int64, of clientID: String?) -> SearchAnswer? {
        guard limits.accepts(identifier: query) else { return nil }
        let size = min(max(1, size), Int64(limits.searchSize))
        return log(of: clientID).search(query, page: page, size: size)
    }

    /// Returns a page of the clients, in the order of their first appearance.
    func clientIDs(from offset: Int, count: Int) -> [String] {
        Array(clientIDs.dropFirst(max(0, offset)).prefix(min(max(1, count), limits.historyCount)))
    }

    /// Returns a page of a client's messages, including those outside the history. Returns `nil` for an unknown client.
    func messages(of clientID: String, _ bound: HistoryRequest.Bound, count: Int) -> [ServerMessage]? {
        self[clientID]?.log.page(bound, count: min(max(1, count), limits.historyCount), withHidden: true)
    }

    private func log(of clientID: String?) -> MessageLog {
        clientID.flatMap { self[$0]?.log } ?? MessageLog()
    }
}

extension Operator {
    /// The operator as encoded in the history.
    fileprivate var wireObject: JSONObject? {
        Content(.message, operator: self).json.objectValue?["operator"]?.objectValue
    }
}
