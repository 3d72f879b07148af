import ChatWire

/// What the desk shows.
extension Desk {
    /// The maximum number of characters of a preview.
    private static let previewLength = 120

    /// Returns the inbox.
    mutating func inbox(_ conversations: Conversations, _ turn: inout ServerTurn) -> DeskInbox {
        let rows = conversations.clientIDs.compactMap { row(of: $0, conversations) }.sorted { $0.precedes($1) }
        return DeskInbox(
            rows: Array(rows.prefix(limits.inboxRows)), total: rows.count, colleagues: presence.colleagues,
            position: position(&turn))
    }

    /// Returns a conversation's row; `nil` for an unknown client.
    func row(of clientID: String, _ conversations: Conversations) -> DeskRow? {
        guard let conversation = conversations[clientID] else { return nil }
        let record = conversation.record
        let newest = conversation.newest
        let waitingSince = record.isThreadOpen ? conversation.log.waitingSince : nil
        let preview = newest.flatMap { $0.content.text ?? $0.content.attachments.first?.name }
        return DeskRow(
            clientID: clientID, name: record.name,
            state: waitingSince != nil ? .waiting : record.isThreadOpen ? .open : .closed,
            waitingSince: waitingSince, unread: conversation.log.unreadByOperators, lastDate: newest?.sentAt,
            preview: preview.map { String($0.prefix(Self.previewLength)) },
            assignee: assignments[clientID]?.operator, isBlocked: record.isBlocked)
    }

    /// Returns a page of a conversation; `nil` for an unknown client.
    mutating func conversation(
        _ clientID: String, _ bound: DeskBound, _ conversations: Conversations, sockets: Int, _ turn: inout ServerTurn
    ) -> DeskConversation? {
        guard let conversation = conversations[clientID], let row = row(of: clientID, conversations) else {
            return nil
        }
        let log = conversation.log
        let messages = log.page(bound, count: limits.pageMessages)
        let hasOlder = messages.first.map { $0.sequence != log.messages.first?.sequence } ?? false
        let hasNewer = messages.last.map { $0.sequence != log.messages.last?.sequence } ?? false
        let earliest = hasOlder ? messages.first?.sentAt ?? .min : .min
        let latest = hasNewer ? messages.last?.sentAt ?? .max : .max
        return DeskConversation(
            row: row, data: conversation.record.data, locale: conversation.record.locale, draft: conversation.draft,
            sockets: sockets, messages: messages,
            notes: notes[clientID].filter { (earliest...max(earliest, latest)).contains($0.writtenAt) },
            hasOlder: hasOlder, hasNewer: hasNewer, colleagues: presence.colleagues, position: position(&turn))
    }

    /// Returns the clients, notes and messages that contain a text, ignoring case.
    func search(_ text: String, _ conversations: Conversations) -> DeskResults {
        let needle = text.lowercased()
        var results = DeskResults(hits: [], isPartial: false)
        guard !needle.isEmpty else { return results }
        var budget = limits.searchedMessages
        for clientID in conversations.clientIDs {
            guard let conversation = conversations[clientID] else { continue }
            let name = conversation.record.name
            let names = [clientID, name ?? ""]
            if names.contains(where: { $0.lowercased().contains(needle) }), let row = row(of: clientID, conversations) {
                results.hits.append(.client(row))
            }
            for note in notes[clientID].reversed() where note.text.lowercased().contains(needle) {
                results.hits.append(.note(note, name: name))
            }
            for message in conversation.log.messages.reversed() {
                guard budget > 0, results.hits.count < limits.searchResults else { break }
                budget -= 1
                guard message.isInHistory, let text = message.content.text, text.lowercased().contains(needle) else {
                    continue
                }
                results.hits.append(.message(message, name: name))
            }
            guard budget > 0, results.hits.count < limits.searchResults else {
                results.isPartial = true
                break
            }
        }
        results.hits = Array(results.hits.prefix(limits.searchResults))
        return results
    }
}

extension DeskRow {
    /// The order of the inbox: waiting conversations first, longest first; then all others, newest first.
    fileprivate func precedes(_ other: DeskRow) -> Bool {
        switch (waitingSince, other.waitingSince) {
        case (let mine?, let theirs?): mine != theirs ? mine < theirs : clientID < other.clientID
        case (_?, nil): true
        case (nil, _?): false
        case (nil, nil):
            lastDate != other.lastDate ? (lastDate ?? .min) > (other.lastDate ?? .min) : clientID < other.clientID
        }
    }
}

extension MessageLog {
    /// When the oldest of the client's messages since the last answer was sent; `nil` if the last message is an
    /// answer.
    fileprivate var waitingSince: Int64? {
        var since: Int64?
        for message in messages.reversed() where message.isInHistory && message.content.body == .message {
            guard message.isFromClient else { break }
            since = message.sentAt
        }
        return since
    }

    /// The number of the client's messages that no operator has read. Reading marks all earlier messages, too.
    fileprivate var unreadByOperators: Int {
        var count = 0
        for message in messages.reversed() where message.isFromClient && message.isInHistory {
            guard message.status < .read else { break }
            count += 1
        }
        return count
    }

    /// Returns a page for the desk, oldest first, including messages outside the history.
    fileprivate func page(_ bound: DeskBound, count: Int) -> [ServerMessage] {
        switch bound {
        case .newest: return page(.newest, count: count, withHidden: true)
        case .before(let id): return page(.before(uuid: id), count: count, withHidden: true)
        case .after(let id): return page(.after(uuid: id), count: count, withHidden: true)
        case .around(let id):
            guard let middle = self[messageID: id] else { return page(.newest, count: count, withHidden: true) }
            return page(.before(uuid: id), count: count / 2, withHidden: true) + [middle]
                + page(.after(uuid: id), count: count / 2, withHidden: true)
        }
    }
}
