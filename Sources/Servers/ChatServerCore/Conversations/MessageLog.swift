import ChatWire
import DequeModule

/// One client's messages in order, with lookup by message id and uuid.
struct MessageLog: Hashable, Sendable {
    private(set) var messages: Deque<ServerMessage> = []
    /// The size of each message, in the same order, and the total.
    private var sizes: Deque<Int> = []
    private(set) var bytes = 0
    // Only for lookup, never iterated: the order of a dictionary differs from run to run.
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

    /// Returns the message with this message id or uuid.
    subscript(name name: String) -> ServerMessage? { position(named: name).map { messages[$0] } }

    /// Returns the message id for ``OperatorAction/lastOfClient`` and ``OperatorAction/lastOfOperator``.
    func name(for word: String) -> String? {
        guard word == OperatorAction.lastOfClient || word == OperatorAction.lastOfOperator else { return nil }
        let isFromClient = word == OperatorAction.lastOfClient
        return messages.last { $0.isInHistory && $0.isFromClient == isFromClient && $0.content.body == .message }?
            .messageID
    }

    /// Modifies and returns the message with this message id or uuid; returns `nil` if there is no such message or no
    /// change.
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

    /// Removes the oldest messages until at most `limit` messages and `limitOfBytes` bytes are left, but keeps the
    /// newest message. Returns the last removed sequence number.
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

    /// Returns a page of the history, oldest first. An unknown cursor belongs to a removed message, so all remaining
    /// messages are newer.
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

    /// Returns the messages whose text contains `text`, ignoring case, newest first.
    func search(_ text: String) -> [ServerMessage] {
        let needle = text.lowercased()
        guard !needle.isEmpty else { return [] }
        return messages.reversed().filter {
            $0.isInHistory && ($0.content.text?.lowercased().contains(needle) ?? false)
        }
    }

    /// Returns a page of the messages that ``search(_:)`` finds.
    func search(_ text: String, page: Int64, size: Int64) -> SearchAnswer {
        let hits = search(text)
        let total = Int64(hits.count)
        // Pages after the last are empty. Comparing first prevents an overflow of the page number.
        let pages = (total + size - 1) / size
        let page = max(0, page)
        let offset = page < pages ? page * size : total
        return SearchAnswer(
            total: total, pages: pages,
            content: hits.dropFirst(Int(offset)).prefix(Int(size)).map(\.historyContent),
            page: SearchAnswer.Page(offset: offset, size: size, number: page))
    }

    /// Returns the operators' messages after the newest one that the client has confirmed, oldest first, at most the
    /// newest `limit`. A socket delivers in order, so confirming a message confirms those before it.
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
