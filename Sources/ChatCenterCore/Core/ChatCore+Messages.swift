import ChatWire

// What the server says becomes part of the conversation. Everything here may come twice, late or in another order.
extension ChatCore {
    mutating func absorb(_ items: [Incoming], from source: Incoming.Source, _ turn: inout Turn) {
        var news: [MessageID] = []
        var places = source == .older ? Array(window.placesAtBeginning(items.count)) : []
        for item in items {
            let place = places.isEmpty ? nil : places.removeFirst()
            if absorb(item, from: source, sequence: place, &turn) { news.append(item.id) }
        }
        guard !news.isEmpty else { return }
        if source == .live {
            typing.otherUntil = nil
            typing.otherName = nil
            unread.isAnswerAmbiguous = true
            sendDeliveredMarks(news, &turn)
        }
        if source == .live || source == .gap(isFirst: false) { turn.emit(.notify(.received(news))) }
    }

    /// Takes one item; true when it is a message of the other side that was not known.
    private mutating func absorb(
        _ item: Incoming, from source: Incoming.Source, sequence: Int64?, _ turn: inout Turn
    ) -> Bool {
        let content = item.content
        noteDialog(item, &turn)
        switch content.body {
        case .clientInfo, .initChat, .clientOffline:
            return false
        case .typing(_, let name):
            if source == .live, !item.isMirror { otherTypes(name ?? content.operator?.name, turn.now) }
            return false
        case .schedule(let schedule):
            if source == .live { updateRemote(&turn) { $0.schedule = schedule } }
            return false
        case .attachmentSettings(let settings):
            if source == .live { updateRemote(&turn) { $0.attachmentSettings = settings } }
            return false
        case .settingsUpdated(let update):
            if source == .live { updateRemote(&turn) { $0 = $0.merging(update) } }
            return false
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

    private mutating func keep(
        _ item: Incoming, sequence: Int64?, _ source: Incoming.Source, _ turn: inout Turn
    ) -> Bool {
        guard let user = session?.user.clientID else { return false }
        if let known = window[item.id] {
            merge(item, into: known, of: user, &turn)
            return false
        }
        let time = item.time ?? window.newestTime ?? turn.now.wall
        if source == .live { fill(to: time) }
        let position = sequence.map { MessagePosition(time: time, sequence: $0) } ?? window.placeAtEnd(time: time)
        let state: MessageState =
            item.isOwn
            ? .own(item.content.read == true ? .read : .sent)
            : .received(item.content.read == true ? .read : .unread)
        let message = StoredMessage(
            id: item.id, serverID: item.serverID, content: item.content, position: position, state: state)
        window.save(message)
        turn.save(.saveMessage(message), of: user)
        // What was missed may have been counted by the server before it came, whichever way it comes now.
        let wasMissed =
            source != .live || sync.isGapWanted || sync.gap != nil || (item.time ?? .max) <= unread.countedUntil
        if message.isUnread, wasMissed, unread.correction > 0 { unread.correction -= 1 }
        guard case .message = item.content.body else { return false }
        return !item.isOwn
    }

    /// The server has a message that is here already: what it knows more is taken over.
    private mutating func merge(
        _ item: Incoming, into known: StoredMessage, of user: String, _ turn: inout Turn
    ) {
        var message = known
        if let serverID = item.serverID { message.serverID = serverID }
        switch known.state {
        case .own(let delivery):
            if !delivery.isConfirmed {
                leaveQueue(known.id)
                message.content = item.content
                if let time = item.time { message.position.time = time }
            }
            let seen: Delivery = item.content.read == true ? .read : .sent
            message.state = .own(seen.rank > delivery.rank ? seen : delivery)
        case .received(let reading):
            message.content = item.content
            if item.content.read == true {
                message.state = .received(.read)
            } else {
                message.state = .received(reading)
            }
        }
        guard message != known else { return }
        window.save(message)
        turn.save(.saveMessage(message), of: user)
        if let delivery = message.delivery, delivery != known.delivery { tellDelivery(message.id, delivery, &turn) }
    }

    /// A change to a message, here or only in the store.
    private mutating func amend(_ item: Incoming, _ change: Amendment.Change, _ turn: inout Turn) {
        guard let user = session?.user.clientID, let uuid = item.content.uuid else { return }
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
    mutating func applyStatus(_ status: MessageStatus, to name: String, _ turn: inout Turn) {
        guard let user = session?.user.clientID else { return }
        guard let id = window.id(forStatus: name), var message = window[id] else {
            turn.save(.amend(Amendment(.statusID(name), .status(status))), of: user)
            return
        }
        let wasWaiting = message.delivery?.entry != nil
        guard message.apply(.status(status)), let delivery = message.delivery else { return }
        if wasWaiting { leaveQueue(id) }
        window.save(message)
        turn.save(.saveMessage(message), of: user)
        tellDelivery(id, delivery, &turn)
    }

    func visibleState(_ id: MessageID, _ delivery: Delivery) -> ChatMessageState {
        delivery.visible(isUploading: jobs.contains { $0.message == id && $0.state == .uploading })
    }

    mutating func tellDelivery(_ id: MessageID, _ delivery: Delivery, _ turn: inout Turn) {
        turn.emit(.notify(.message(id, visibleState(id, delivery))))
    }

    // MARK: The dialog

    /// Threads decide whether a dialog is active; the newest event counts, whatever the order of arrival.
    private mutating func noteDialog(_ item: Incoming, _ turn: inout Turn) {
        let time = item.time ?? dialog.since
        guard time >= dialog.since, let user = session?.user.clientID else { return }
        noteOperator(item.content)
        guard let phase = item.content.body.dialogPhase else { return }
        let next = DialogState(phase: phase, since: time)
        guard next != dialog else { return }
        dialog = next
        turn.save(.dialog(next), of: user)
    }

    /// Who works on the dialog, and whether the client may write.
    mutating func noteOperator(_ content: Content) {
        switch content.body {
        case .threadEnqueued, .operatorLookupStarted: stage.isWaiting = true
        case .operatorJoined:
            stage.isWaiting = false
            stage.operatorAtWork = content.operator.map(ChatOperator.init)
        case .operatorLeft: stage.operatorAtWork = nil
        case .threadClosed:
            stage.isWaiting = false
            stage.operatorAtWork = nil
        case .clientBlocked: stage.clientBlocked = .some(content.text)
        case .clientUnblocked: stage.clientBlocked = nil
        default: break
        }
    }
}

extension ContentBody {
    /// What the event makes of the dialog.
    fileprivate var dialogPhase: DialogState.Phase? {
        switch self {
        case .threadOpened, .threadInProgress, .threadEnqueued, .threadWillBeReassigned, .operatorJoined: .active
        case .threadClosed: .ended
        default: nil
        }
    }
}
