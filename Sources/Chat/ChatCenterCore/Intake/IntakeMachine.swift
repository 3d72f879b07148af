import ChatWire

/// A state machine that merges data from the server into the conversation. Items can arrive twice, late or out of
/// order. The window owns the messages; each method receives it and changes it.
struct IntakeMachine: Hashable, Sendable {
    /// Stored messages that the next event refers to and that are no longer in the window.
    private var recalled: [StoredMessage] = []

    // MARK: Recalled messages

    /// Returns the ids of items in an event that only the store may contain. Empty if all stored messages are in
    /// memory.
    static func namesToRecall(for event: ChatEvent, live: Generation?, in window: MessageWindow) -> [String] {
        guard window.storeHasOlder else { return [] }
        let items: [Incoming]
        switch event {
        case .network(.received(let generation, let frame)):
            guard generation == live, case .messages(let messages) = frame.body else { return [] }
            items = messages.map { Incoming($0, createdAt: frame.createdAt) }
        case .network(.answered(_, .success(.history(let answer)))): items = answer.messages.map { Incoming($0) }
        default: return []
        }
        return items.flatMap { item -> [String] in
            let item = item.bounded.0
            guard window[item.id] == nil else { return [] }
            return [item.id.text] + (item.serverID.map { [$0] } ?? [])
        }
    }

    /// Sets the stored messages that the next event refers to. They are forgotten after that event.
    mutating func recall(_ messages: [StoredMessage]) { recalled = messages }

    /// Saves a changed message, in the window or among the recalled messages.
    private mutating func hold(_ message: StoredMessage, _ window: inout MessageWindow) {
        guard window[message.id] == nil, let index = recalled.firstIndex(where: { $0.id == message.id }) else {
            window.save(message)
            return
        }
        // In the window, it would be next to messages that are not its neighbors.
        recalled[index] = message
    }

    // MARK: Items

    /// Merges items, oldest first. The last action names the new messages from the company.
    mutating func absorb(
        _ items: [Incoming], from source: Incoming.Source, _ window: inout MessageWindow, at now: Moment
    ) -> [CoreAction] {
        var actions: [CoreAction] = []
        var news: [MessageID] = []
        var places = source == .older ? Array(window.placesAtBeginning(items.count)) : []
        for item in items {
            let place = places.isEmpty ? nil : places.removeFirst()
            let (bounded, isCut) = item.bounded
            if isCut {
                let line = "an item of \(item.content.weight) bytes is too large; only its beginning is stored"
                actions.append(.log(.error, line))
            }
            actions += complaints(about: bounded) + [.noteContent(bounded.content, time: bounded.time)]
            actions += absorb(bounded, from: source, sequence: place, &window, now, &news)
        }
        return news.isEmpty ? actions : actions + [.received(news, from: source)]
    }

    /// Returns log lines about unreadable parts and unknown types. The item itself is kept.
    private func complaints(about item: Incoming) -> [CoreAction] {
        var lines: [String] = []
        if case .unknown(let type, _) = item.content.body {
            lines.append("unknown item type \(LoggedWord.code(type)); the item is stored unchanged")
        }
        let problems = item.content.allProblems
        let type = LoggedWord.code(item.content.wireType)
        lines += problems.prefix(5).map { "\(type): \($0)" }
        if problems.count > 5 { lines.append("\(type): \(problems.count - 5) more problems") }
        return lines.map { .log(.error, $0) }
    }

    private mutating func absorb(
        _ item: Incoming, from source: Incoming.Source, sequence: Int64?, _ window: inout MessageWindow,
        _ now: Moment, _ news: inout [MessageID]
    ) -> [CoreAction] {
        let content = item.content
        switch content.body {
        case .clientInfo, .initChat, .clientOffline: return []
        case .typing(_, let name):
            return source == .live && !item.isMirror ? [.heardTyping(name ?? content.operator?.name)] : []
        case .schedule, .attachmentSettings, .settingsUpdated:
            if source == .live { return [.pushed(content.body)] }
            // The part was pushed while the client was not connected. The configuration contains the current value.
            return source == .gap(isFirst: false) ? [.requestConfiguration] : []
        case .messagesRead(let ids): return ids.flatMap { status(.read, of: $0, &window) }
        case .attachmentUpdated, .speechMessageUpdated, .messageEdited, .messageDeleted:
            return content.amendment.map { amend(item, $0, &window) } ?? []
        case .unknown("SETTINGS_UPDATED", _) where source == .live:
            // The update does not say what changed, or it is unreadable.
            return [.requestConfiguration] + keep(item, sequence, source, &window, now, &news)
        default: return keep(item, sequence, source, &window, now, &news)
        }
    }

    private mutating func keep(
        _ item: Incoming, _ sequence: Int64?, _ source: Incoming.Source, _ window: inout MessageWindow,
        _ now: Moment, _ news: inout [MessageID]
    ) -> [CoreAction] {
        if let known = self.known(item, in: window) { return merge(item, into: known, &window) }
        let time = item.time ?? window.newestTime ?? now.wall
        let position = sequence.map { MessagePosition(time: time, sequence: $0) } ?? window.placeAtEnd(time: time)
        let isRead = item.content.read == true
        let message = StoredMessage(
            id: item.id, serverID: item.serverID, content: item.content, position: position,
            state: item.isOwn ? .own(isRead ? .read : .sent) : .received(isRead ? .read : .unread))
        window.save(message)
        if case .message = item.content.body, !item.isOwn { news.append(message.id) }
        return (source == .live ? [.fill(to: time)] : [])
            + [.save(.saveMessage(message)), .held(message, time: item.time, from: source)]
    }

    /// Merges an item into a message that already exists.
    private mutating func merge(
        _ item: Incoming, into known: StoredMessage, _ window: inout MessageWindow
    ) -> [CoreAction] {
        var actions: [CoreAction] = known.delivery?.isConfirmed == false ? [.arrived(known.id)] : []
        let message = known.merged(with: item)
        guard message != known else { return actions }
        hold(message, &window)
        actions.append(.save(.saveMessage(message)))
        if let delivery = message.delivery, delivery != known.delivery { actions.append(.tell(message.id, delivery)) }
        return actions
    }

    /// Returns the messages of a history page without adding them to the conversation: those that are known as they
    /// are, the others as the server sent them. Changes to messages of the page are applied.
    func copies(of contents: [Content], in window: MessageWindow, at now: Moment) -> [StoredMessage] {
        var copies: [StoredMessage] = []
        var time = contents.lazy.compactMap(\.receivedDate).first ?? now.wall
        for content in contents {
            let (item, _) = Incoming(content).bounded
            time = item.time ?? time
            switch item.content.body {
            case .clientInfo, .initChat, .clientOffline, .typing, .schedule, .attachmentSettings, .settingsUpdated,
                .messagesRead:
                continue
            default: break
            }
            if let change = item.content.amendment {
                guard let index = copies.firstIndex(where: { $0.id.text == item.content.uuid }) else { continue }
                _ = copies[index].apply(change)
                continue
            }
            let isRead = item.content.read == true
            let copy =
                self.known(item, in: window)
                ?? StoredMessage(
                    id: item.id, serverID: item.serverID, content: item.content,
                    position: MessagePosition(time: time, sequence: 0),
                    state: item.isOwn ? .own(isRead ? .read : .sent) : .received(.read))
            copies.append(copy)
        }
        return copies
    }

    /// Returns the message that an item repeats. The same item can arrive with its UUID from one source and only with
    /// the server's id from another.
    private func known(_ item: Incoming, in window: MessageWindow) -> StoredMessage? {
        window[item.id] ?? item.serverID.flatMap { window.id(forStatus: $0) }.flatMap { window[$0] }
            ?? recalled.first { $0.id == item.id || ($0.serverID != nil && $0.serverID == item.serverID) }
    }

    /// Applies a change to a message, in memory or only in the store.
    private func amend(
        _ item: Incoming, _ change: Amendment.Change, _ window: inout MessageWindow
    ) -> [CoreAction] {
        guard let uuid = item.content.uuid else { return [] }
        let id = MessageID(uuid)
        guard var message = window[id] else { return [.save(.amend(Amendment(.id(id), change)))] }
        guard message.apply(change) else { return [] }
        window.save(message)
        return [.save(.saveMessage(message))]
    }

    /// Records that an own message has reached at least this status.
    func status(_ status: MessageStatus, of name: String, _ window: inout MessageWindow) -> [CoreAction] {
        guard let id = window.id(forStatus: name), var message = window[id] else {
            return [.save(.amend(Amendment(.statusID(name), .status(status))))]
        }
        guard message.apply(.status(status)), let delivery = message.delivery else { return [] }
        window.save(message)
        return [.arrived(id), .save(.saveMessage(message)), .tell(id, delivery)]
    }
}
