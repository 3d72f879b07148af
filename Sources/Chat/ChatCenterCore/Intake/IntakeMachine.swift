import ChatWire

/// Takes over what the server says into the conversation, as a state machine. Everything may come twice, late or in another
/// order. The messages belong to the window, which comes with each event and is changed by it.
struct IntakeMachine: Hashable, Sendable {
    /// What the store knows of items that the event that follows brings, and that the window does not hold any more.
    private var recalled: [StoredMessage] = []

    // MARK: Recalling

    /// The names of items that come with an event, and that only the store may know. Empty as long as the store has no
    /// more than is in memory.
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

    /// Takes what the store knows of the items of the next event. With that event it is forgotten.
    mutating func recall(_ messages: [StoredMessage]) { recalled = messages }

    /// Takes over a change to a message, wherever it is held.
    private mutating func hold(_ message: StoredMessage, _ window: inout MessageWindow) {
        guard window[message.id] == nil, let index = recalled.firstIndex(where: { $0.id == message.id }) else {
            window.save(message)
            return
        }
        // In memory it would stand beside messages from which it is divided by others that are not there.
        recalled[index] = message
    }

    // MARK: Items

    /// Takes over items, oldest first. Those of the other side that were not known are named in the last action.
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
                let line = "an item of \(item.content.weight) bytes is too large; its beginning is kept"
                actions.append(.log(.error, line))
            }
            actions += complaints(about: bounded) + [.noteContent(bounded.content, time: bounded.time)]
            actions += absorb(bounded, from: source, sequence: place, &window, now, &news)
        }
        return news.isEmpty ? actions : actions + [.received(news, from: source)]
    }

    /// What could not be read, and what this version does not know, is said; the item itself is kept.
    private func complaints(about item: Incoming) -> [CoreAction] {
        var lines: [String] = []
        if case .unknown(let type, _) = item.content.body {
            lines.append("an item of the type \(ServerWord.code(type)) is not understood; it is kept as it came")
        }
        let problems = item.content.allProblems
        let type = ServerWord.code(item.content.wireType)
        lines += problems.prefix(5).map { "\(type): \($0)" }
        if problems.count > 5 { lines.append("\(type): \(problems.count - 5) more of the kind") }
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
            // It was pushed while nobody listened: the configuration says what is in force now.
            return source == .gap(isFirst: false) ? [.requestConfiguration] : []
        case .messagesRead(let ids): return ids.flatMap { status(.read, of: $0, &window) }
        case .attachmentUpdated: return amend(item, .attachments(content.attachments), &window)
        case .speechMessageUpdated:
            return amend(item, .speech(status: content.speechStatus, text: content.speechText), &window)
        case .messageEdited: return amend(item, .text(content.text, formatted: content.formattedText), &window)
        case .messageDeleted: return amend(item, .deleted, &window)
        case .unknown("SETTINGS_UPDATED", _) where source == .live:
            // It does not say what changed, or not so that it can be read.
            return [.requestConfiguration] + keep(item, sequence, source, &window, now, &news)
        default: return keep(item, sequence, source, &window, now, &news)
        }
    }

    private mutating func keep(
        _ item: Incoming, _ sequence: Int64?, _ source: Incoming.Source, _ window: inout MessageWindow,
        _ now: Moment, _ news: inout [MessageID]
    ) -> [CoreAction] {
        // The same item with its uuid on one way and with the server's id alone on another is one item.
        let known =
            window[item.id] ?? item.serverID.flatMap { window.id(forStatus: $0) }.flatMap { window[$0] }
            ?? recalled.first { $0.id == item.id || ($0.serverID != nil && $0.serverID == item.serverID) }
        if let known { return merge(item, into: known, &window) }
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

    /// The server has a message that is here already: what it knows more is taken over.
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

    /// A change to a message, here or only in the store.
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

    /// An own message is at least this far.
    func status(_ status: MessageStatus, of name: String, _ window: inout MessageWindow) -> [CoreAction] {
        guard let id = window.id(forStatus: name), var message = window[id] else {
            return [.save(.amend(Amendment(.statusID(name), .status(status))))]
        }
        guard message.apply(.status(status)), let delivery = message.delivery else { return [] }
        window.save(message)
        return [.arrived(id), .save(.saveMessage(message)), .tell(id, delivery)]
    }
}
