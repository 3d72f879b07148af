import ChatWire
import OrderedCollections

extension ChatServerCore {
    /// The content of a `sendMessage`.
    mutating func take(
        _ content: Content, _ frame: ClientFrame, on id: ConnectionID, of clientID: String, _ turn: inout Turn
    ) {
        guard VersionGate.mayBeSent(content.body, in: connections[id]?.apiVersion ?? VersionGate.baseline) else {
            return fail(frame, on: id, WireFailure("content.api-version", details: content.wireType), &turn)
        }
        switch content.body {
        case .clientInfo(let info):
            introduce(info, frame, on: id, of: clientID, &turn)
        case .message:
            keep(content, inHistory: true, frame, on: id, of: clientID, &turn)
        case .surveyQuestionAnswer, .surveyQualityFormAnswer:
            keep(content, inHistory: false, frame, on: id, of: clientID, &turn)
        case .typing(let draft, _):
            clients[clientID]?.draft = draft.map { String($0.prefix(settings.limits.textLength)) }
            acknowledge(frame, on: id, &turn)
            turn.happenings.append(Happening(kind: .typing, text: draft, clientID: clientID, connection: id))
        case .initChat:
            acknowledge(frame, on: id, &turn)
        case .clientOffline:
            if let address = connections[id]?.deviceAddress { forgetDevice(address, of: clientID, &turn) }
            acknowledge(frame, on: id, &turn)
            close(id, .clientOffline, &turn)
        case .closeThread:
            acknowledge(frame, on: id, &turn)
            endThread(of: clientID, &turn)
        case .reopenThread:
            acknowledge(frame, on: id, &turn)
            openThread(of: clientID, &turn)
        default:
            fail(frame, on: id, WireFailure("content.unknown", details: content.wireType), &turn)
        }
    }

    /// Says that something was taken which is not kept as a message.
    private func acknowledge(_ frame: ClientFrame, on id: ConnectionID, _ turn: inout Turn) {
        let receipt = SendReceipt(messageID: turn.identifiers.uuid(), sentAt: turn.now.wall, status: .sent)
        reply(to: frame, on: id, .receipt(receipt), &turn)
    }

    /// The client information completes the handshake: schedule and missed messages follow.
    private mutating func introduce(
        _ info: ClientInfo, _ frame: ClientFrame, on id: ConnectionID, of clientID: String, _ turn: inout Turn
    ) {
        guard var record = clients[clientID]?.record else { return }
        guard Content(.clientInfo(info)).json.text.utf8.count <= settings.limits.clientDataBytes else {
            return fail(frame, on: id, WireFailure("client.info-too-large"), &turn)
        }
        record.name = info.name
        record.data = info.data
        record.locale = info.locale
        if record != clients[clientID]?.record {
            clients[clientID]?.record = record
            turn.write(.client(record))
        }
        acknowledge(frame, on: id, &turn)
        connections[id]?.phase = .ready
        guard info.preRegister != true else { return }

        var messages: [DeliveredMessage] = []
        if let schedule = currentSchedule(at: turn.now) {
            messages.append(DeliveredMessage(messageID: nil, sentAt: nil, content: Content(.schedule(schedule))))
        }
        let missed = clients[clientID]?.log.unconfirmed(limit: settings.limits.unconfirmedMessages) ?? []
        messages += missed.map { $0.delivered() }
        messages += takeUntoldChanges(of: clientID, &turn)
        if !messages.isEmpty { push(messages, to: id, &turn) }
        turn.happenings.append(Happening(kind: .ready, clientID: clientID, connection: id))
        resumeBot(for: clientID, &turn)
    }

    private mutating func keep(
        _ content: Content, inHistory: Bool, _ frame: ClientFrame, on id: ConnectionID, of clientID: String,
        _ turn: inout Turn
    ) {
        guard let uuid = content.uuid, !uuid.isEmpty, isAcceptable(uuid) else {
            return fail(frame, on: id, WireFailure("message.uuid"), &turn)
        }
        // The uuid is the idempotency key: a repeated one is answered like the first, and nothing else happens.
        if let known = clients[clientID]?.log[uuid: uuid] {
            guard known.isFromClient else { return fail(frame, on: id, WireFailure("message.uuid"), &turn) }
            return reply(to: frame, on: id, .receipt(known.receipt), &turn)
        }
        if let refusal = refusal(of: content, from: clientID, inHistory: inHistory) {
            return fail(frame, on: id, refusal, &turn)
        }
        clients[clientID]?.draft = nil
        if inHistory { openThread(of: clientID, &turn) }
        guard
            let message = append(content, uuid: uuid, isFromClient: true, inHistory: inHistory, to: clientID, &turn)
        else { return }
        reply(to: frame, on: id, .receipt(message.receipt), &turn)
        turn.happenings.append(
            Happening(
                kind: inHistory ? .message : .surveyAnswer, text: content.text, clientID: clientID, connection: id))
        guard inHistory else { return }
        for other in readyConnections(of: clientID) where other != id {
            push([message.delivered(as: .mirror)], to: other, &turn)
        }
        planAnswer(to: message, &turn)
    }

    private func refusal(of content: Content, from clientID: String, inHistory: Bool) -> WireFailure? {
        if content.json.text.utf8.count > settings.limits.contentBytes { return WireFailure("message.too-large") }
        guard inHistory else { return nil }
        if clients[clientID]?.record.isBlocked == true { return WireFailure("client.blocked") }
        if !isSendingAllowed { return WireFailure("schedule.closed") }
        let text = content.text ?? ""
        if text.isEmpty, content.attachments.isEmpty { return WireFailure("message.empty") }
        if text.count > settings.limits.textLength { return WireFailure("message.too-long") }
        if content.attachments.count > settings.limits.attachments {
            return WireFailure("message.too-many-attachments")
        }
        if content.quotes.count > settings.limits.quotes { return WireFailure("message.too-many-quotes") }
        return nil
    }

    /// Gives a content its names and its place, and keeps it.
    @discardableResult
    mutating func append(
        _ content: Content, uuid: String, isFromClient: Bool, inHistory: Bool, to clientID: String, _ turn: inout Turn
    ) -> StoredMessage? {
        guard let client = clients[clientID] else { return nil }
        var content = content
        content.uuid = uuid
        content.threadID = client.record.threadID
        // Dates of a conversation never stand still or go back, whatever the wall clock does.
        let last = client.log.lastDate
        let date = last < turn.now.wall ? turn.now.wall : last + 1
        let message = StoredMessage(
            sequence: nextSequence, clientID: clientID, messageID: turn.identifiers.uuid(), uuid: uuid,
            isFromClient: isFromClient, sentAt: date, isInHistory: inHistory, content: content)
        nextSequence += 1
        clients[clientID]?.log.append(message)
        turn.write(.message(message))
        makeRoom(in: clientID, &turn)
        return message
    }

    /// Forgets the oldest messages of a client, and of those who have most, until everything is within its limits.
    mutating func makeRoom(in clientID: String, _ turn: inout Turn) {
        let limits = settings.limits
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
            // Everybody has one message at most: there is nothing to forget.
            guard freed > 0 else { return }
            total -= freed
        }
    }

    private mutating func trim(_ clientID: String, toBytes bytes: Int, _ turn: inout Turn) {
        if let last = clients[clientID]?.log.trim(to: settings.limits.messagesPerClient, bytes: bytes) {
            turn.write(.messagesRemoved(clientID: clientID, through: last))
        }
    }

    /// Sends messages to one connection: those that its protocol version knows, or all if they are `isRaw`. A planned fault
    /// may have them lost, sent twice, or sent behind the next.
    mutating func push(
        _ messages: [DeliveredMessage], to id: ConnectionID, isRaw: Bool = false, _ turn: inout Turn
    ) {
        let version = connections[id]?.apiVersion ?? VersionGate.baseline
        let known = isRaw ? messages : messages.compactMap { $0.written(for: version) }
        guard !known.isEmpty else { return }
        let frame = ServerFrame(.messages(known), createdAt: turn.now.wall)
        if takeFault(.losePush) { return turn.note(.fault) }
        if let overtaken = takeSwapped(for: id) {
            turn.send(id, frame)
            return turn.send(id, overtaken)
        }
        if takeFault(.swapPushes) {
            turn.note(.fault)
            let due = turn.now.monotonic.addingClamped(Self.longestSwap)
            if hold(HeldFrame(due: due, connection: id, frame: frame, keepsOrder: false, isSwapped: true)) { return }
        }
        turn.send(id, frame)
        guard takeFault(.repeatPush) else { return }
        turn.note(.fault)
        turn.send(id, frame)
    }
}

extension DeliveredMessage {
    /// The message as a client of this version is sent it.
    fileprivate func written(for version: Int64) -> DeliveredMessage? {
        guard let content = VersionGate.content(content, for: version) else { return nil }
        var message = self
        message.content = content
        return message
    }
}
