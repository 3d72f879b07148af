import ChatWire

// What the server says becomes part of the conversation. Everything here may come twice, late or in another order.
extension ChatCore {
    mutating func absorb(_ items: [Incoming], from source: Incoming.Source, _ turn: inout CoreUpdate) {
        var news: [MessageID] = []
        var places = source == .older ? Array(window.placesAtBeginning(items.count)) : []
        for item in items {
            let place = places.isEmpty ? nil : places.removeFirst()
            if absorb(item, from: source, sequence: place, &turn) { news.append(item.id) }
        }
        guard !news.isEmpty else { return }
        if source == .live {
            typing.stop()
            reading.newsArrived()
        }
        if source != .older {
            // Those that are read at once are told as read.
            if socket.isReady, !presence.isLooking || !isForeground {
                perform(
                    reading.sendDelivered(news.filter { window[$0]?.isUnread == true }, in: window), &turn)
            }
            if presence.isLooking, configuration.scrollToLatest.value { scrollToLatest() }
        }
        if source == .live || source == .gap(isFirst: false) { turn.emit(.notify(.received(news))) }
        if source == .gap(isFirst: false) { sync.absorbedNews(news.count) }
    }

    /// What could not be read, and what this version does not know, is said; the item itself is kept.
    private func complain(about item: Incoming, _ turn: inout CoreUpdate) {
        if case .unknown(let type, _) = item.content.body {
            turn.log(.error, "an item of the type \(ServerWord.code(type)) is not understood; it is kept as it came")
        }
        let problems = item.content.allProblems
        guard !problems.isEmpty else { return }
        let type = ServerWord.code(item.content.wireType)
        for problem in problems.prefix(5) { turn.log(.error, "\(type): \(problem)") }
        if problems.count > 5 { turn.log(.error, "\(type): \(problems.count - 5) more of the kind") }
    }

    /// Takes one item; true when it is a message of the other side that was not known.
    private mutating func absorb(
        _ received: Incoming, from source: Incoming.Source, sequence: Int64?, _ turn: inout CoreUpdate
    ) -> Bool {
        let (item, isCut) = received.bounded
        if isCut {
            turn.log(.error, "an item of \(received.content.weight) bytes is too large; its beginning is kept")
        }
        let content = item.content
        complain(about: item, &turn)
        if session.isAuthorized, let state = dialog.note(content, time: item.time) { save(.dialog(state), &turn) }
        switch content.body {
        case .clientInfo, .initChat, .clientOffline:
            return false
        case .typing(_, let name):
            if source == .live, !item.isMirror {
                typing.heard(name ?? content.operator?.name, at: turn.now, interval: typingInterval)
            }
            return false
        case .schedule(let schedule):
            if source == .live {
                if let time = schedule.serverTime { serverClock.note(time, at: turn.now) }
                updateRemote(&turn) { $0.schedule = schedule }
            }
            settingsWereMissed(source, &turn)
            return false
        case .attachmentSettings(let settings):
            if source == .live { updateRemote(&turn) { $0.attachmentSettings = settings } }
            settingsWereMissed(source, &turn)
            return false
        case .settingsUpdated(let update):
            if source == .live { updateRemote(&turn) { $0 = $0.merging(update) } }
            settingsWereMissed(source, &turn)
            return false
        case .unknown("SETTINGS_UPDATED", _) where source == .live:
            // It does not say what changed, or not so that it can be read.
            requestConfiguration(&turn)
            return keep(item, sequence: sequence, source, &turn)
        case .messagesRead(let ids):
            for id in ids { applyStatus(.read, to: id, &turn) }
            return false
        case .attachmentUpdated:
            amend(item, .attachments(content.attachments), &turn)
            return false
        case .speechMessageUpdated:
            amend(item, .speech(status: content.speechStatus, text: content.speechText), &turn)
            return false
        case .messageEdited:
            amend(item, .text(content.text, formatted: content.formattedText), &turn)
            return false
        case .messageDeleted:
            amend(item, .deleted, &turn)
            return false
        default:
            return keep(item, sequence: sequence, source, &turn)
        }
    }

    /// Something about the settings was pushed while nobody listened: the configuration says what is in force now.
    private mutating func settingsWereMissed(_ source: Incoming.Source, _ turn: inout CoreUpdate) {
        if source == .gap(isFirst: false) { requestConfiguration(&turn) }
    }

    private mutating func keep(
        _ item: Incoming, sequence: Int64?, _ source: Incoming.Source, _ turn: inout CoreUpdate
    ) -> Bool {
        guard let user = session.clientID else { return false }
        // The same item with its uuid on one way and with the server's id alone on another is one item.
        if let known = window[item.id] ?? item.serverID.flatMap({ window.id(forStatus: $0) }).flatMap({ window[$0] }) {
            merge(item, into: known, of: user, &turn)
            return false
        }
        if let known = recalled(item) {
            merge(item, into: known, of: user, &turn)
            return false
        }
        let time = item.time ?? window.newestTime ?? turn.now.wall
        if source == .live { sync.fill(to: time) }
        let position = sequence.map { MessagePosition(time: time, sequence: $0) } ?? window.placeAtEnd(time: time)
        let state: MessageState =
            item.isOwn
            ? .own(item.content.read == true ? .read : .sent)
            : .received(item.content.read == true ? .read : .unread)
        let message = StoredMessage(
            id: item.id, serverID: item.serverID, content: item.content, position: position, state: state)
        window.save(message)
        turn.save(.saveMessage(message), of: user)
        let wasMissed = source != .live || sync.isBehind
        reading.held(message, time: item.time, wasMissed: wasMissed)
        guard case .message = item.content.body else { return false }
        return !item.isOwn
    }

    /// The server has a message that is here already: what it knows more is taken over.
    private mutating func merge(
        _ item: Incoming, into known: StoredMessage, of user: String, _ turn: inout CoreUpdate
    ) {
        if known.delivery?.isConfirmed == false { arrived(known.id) }
        let message = known.merged(with: item)
        guard message != known else { return }
        hold(message)
        turn.save(.saveMessage(message), of: user)
        if let delivery = message.delivery, delivery != known.delivery { tellDelivery(message.id, delivery, &turn) }
    }

    /// A change to a message, here or only in the store.
    private mutating func amend(_ item: Incoming, _ change: Amendment.Change, _ turn: inout CoreUpdate) {
        guard let user = session.clientID, let uuid = item.content.uuid else { return }
        let id = MessageID(uuid)
        guard var message = window[id] else {
            turn.save(.amend(Amendment(.id(id), change)), of: user)
            return
        }
        guard message.apply(change) else { return }
        window.save(message)
        turn.save(.saveMessage(message), of: user)
    }

    /// An own message is at least this far.
    mutating func applyStatus(_ status: MessageStatus, to name: String, _ turn: inout CoreUpdate) {
        guard let user = session.clientID else { return }
        guard let id = window.id(forStatus: name), var message = window[id] else {
            turn.save(.amend(Amendment(.statusID(name), .status(status))), of: user)
            return
        }
        guard message.apply(.status(status)), let delivery = message.delivery else { return }
        arrived(id)
        window.save(message)
        turn.save(.saveMessage(message), of: user)
        tellDelivery(id, delivery, &turn)
    }

    /// How far an own message is; `nil` if it is none, or not known here.
    package func state(of id: MessageID) -> ChatMessageState? {
        window[id]?.delivery.map { visibleState(id, $0) }
    }

    func visibleState(_ id: MessageID, _ delivery: Delivery) -> ChatMessageState {
        delivery.visible(isUploading: transfers.isUploading(id))
    }

    mutating func tellDelivery(_ id: MessageID, _ delivery: Delivery, _ turn: inout CoreUpdate) {
        turn.emit(.notify(.message(id, visibleState(id, delivery))))
    }
}
