import ChatWire
import DequeModule

/// One client's messages in their order, findable by each of their names.
struct MessageLog: Hashable, Sendable {
    private(set) var messages: Deque<ServerMessage> = []
    /// What each message costs, in the same order, and all together.
    private var sizes: Deque<Int> = []
    private(set) var bytes = 0
    // Looked up, never iterated: the order of a dictionary differs from run to run.
    private var sequencesByUUID: [String: Int64] = [:]
    private var sequencesByMessageID: [String: Int64] = [:]

    /// The date of the newest message.
    var lastDate: Int64 { messages.last?.sentAt ?? .min }

    mutating func append(_ message: ServerMessage) {
        messages.append(message)
        sizes.append(message.size)
        bytes += message.size
        sequencesByUUID[message.uuid] = message.sequence
        sequencesByMessageID[message.messageID] = message.sequence
    }

    subscript(uuid uuid: String) -> ServerMessage? {
        position(of: sequencesByUUID[uuid]).map { messages[$0] }
    }

    subscript(messageID messageID: String) -> ServerMessage? {
        position(of: sequencesByMessageID[messageID]).map { messages[$0] }
    }

    /// The message of this message id or uuid.
    subscript(name name: String) -> ServerMessage? { position(named: name).map { messages[$0] } }

    /// The message id of what ``OperatorAction/lastOfClient`` and ``OperatorAction/lastOfOperator`` stand for.
    func name(for word: String) -> String? {
        guard word == OperatorAction.lastOfClient || word == OperatorAction.lastOfOperator else { return nil }
        let isFromClient = word == OperatorAction.lastOfClient
        return messages.last { $0.isInHistory && $0.isFromClient == isFromClient && $0.content.body == .message }?
            .messageID
    }

    /// Changes a message, named by its message id or uuid, and gives it back; `nil` without such a message or without
    /// a change.
    mutating func update(_ name: String, _ change: (inout ServerMessage) -> Void) -> ServerMessage? {
        guard let position = position(named: name) else { return nil }
        var message = messages[position]
        change(&message)
        guard message != messages[position] else { return nil }
        if message.content != messages[position].content {
            bytes += message.size - sizes[position]
            sizes[position] = message.size
        }
        messages[position] = message
        return message
    }

    /// Forgets the oldest messages until `limit` of them and as many bytes are left, or only the newest one; the last sequence
    /// number that went.
    mutating func trim(to limit: Int, bytes limitOfBytes: Int) -> Int64? {
        var last: Int64?
        while messages.count > limit || (bytes > limitOfBytes && messages.count > 1),
            let oldest = messages.popFirst()
        {
            last = oldest.sequence
            bytes -= sizes.popFirst() ?? 0
            sequencesByUUID[oldest.uuid] = nil
            sequencesByMessageID[oldest.messageID] = nil
        }
        return last
    }

    /// A page of the history, oldest first. A cursor that the log does not know stands for a message that it has
    /// forgotten: everything that is left came after it.
    func page(_ bound: HistoryRequest.Bound, count: Int, withHidden: Bool = false) -> [ServerMessage] {
        func visible(_ slice: Deque<ServerMessage>.SubSequence) -> [ServerMessage] {
            slice.filter { withHidden || $0.isInHistory }
        }
        switch bound {
        case .newest:
            return Array(visible(messages[...]).suffix(count))
        case .before(let uuid):
            return Array(visible(messages[..<(position(named: uuid) ?? messages.startIndex)]).suffix(count))
        case .after(let uuid):
            return Array(
                visible(messages[(position(named: uuid).map { $0 + 1 } ?? messages.startIndex)...]).prefix(count))
        }
    }

    /// The messages whose text holds `text`, whatever its case, newest first.
    func search(_ text: String) -> [ServerMessage] {
        let needle = text.lowercased()
        guard !needle.isEmpty else { return [] }
        return messages.reversed().filter {
            $0.isInHistory && ($0.content.text?.lowercased().contains(needle) ?? false)
        }
    }

    /// A page of the messages that ``search(_:)`` finds.
    func search(_ text: String, page: Int64, size: Int64) -> SearchAnswer {
        let hits = search(text)
        let total = Int64(hits.count)
        // Pages beyond the last are empty; the comparison comes first so that no page number can overflow.
        let pages = (total + size - 1) / size
        let page = max(0, page)
        let offset = page < pages ? page * size : total
        return SearchAnswer(
            total: total, pages: pages,
            content: hits.dropFirst(Int(offset)).prefix(Int(size)).map(\.historyContent),
            page: SearchAnswer.Page(offset: offset, size: size, number: page))
    }

    /// What the operators wrote after the newest of their messages that the client has confirmed, oldest first and at
    /// most the newest `limit`. A socket delivers in order, so a confirmed message confirms those before it.
    func unconfirmed(limit: Int) -> [ServerMessage] {
        messages.reversed().prefix { $0.isFromClient || $0.status < .delivered }
            .filter { !$0.isFromClient }.prefix(limit).reversed()
    }

    var unreadCount: Int { messages.count(where: \.isUnread) }

    private func position(named name: String) -> Int? {
        position(of: sequencesByMessageID[name] ?? sequencesByUUID[name])
    }

    private func position(of sequence: Int64?) -> Int? {
        guard let sequence else { return nil }
        var low = messages.startIndex
        var high = messages.endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if messages[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low < messages.endIndex && messages[low].sequence == sequence ? low : nil
    }
}
