import ChatWire

// Messages: what the host application asks for, and what the server says.
extension ChatCore {
    mutating func send(_ ticket: Ticket, _ id: MessageID, _ message: OutgoingMessage, _ update: inout CoreUpdate) {
        if let refusal = refusal(of: message, id) {
            update.emit(.acknowledge(ticket, .failure(refusal)))
            return
        }
        var message = message
        if message.body == .message, let quote = composer.sent() { message.quotes.append(quote) }
        take(message, id, ticket, &update)
        screenComposer.scrollToLatest(in: window)
    }

    /// Takes a message of the core's own making: an answer to a survey. Nobody waits for its acknowledgement; if it
    /// cannot be kept now, that is tried again.
    mutating func enqueue(_ message: OutgoingMessage, _ update: inout CoreUpdate) {
        let id = MessageID(update.entropy.uuid())
        if let refusal = refusal(of: message, id) {
            update.log(.error, "an answer was not taken: \(refusal)")
            return
        }
        take(message, id, nil, &update)
    }

    private mutating func take(
        _ message: OutgoingMessage, _ id: MessageID, _ ticket: Ticket?, _ update: inout CoreUpdate
    ) {
        guard let user = session.clientID else { return }
        let content = message.content(id, clientID: user, settings)
        let delay = message.body.isSurveyAnswer ? Int64(configuration.surveyCompletionDelay.value) : 0
        let stored = outbox.add(
            content, id, notBefore: delay > 0 ? update.now.after(milliseconds: delay) : nil, &window, at: update.now,
            serverClock)
        let jobs = transfers.plan(message.files, of: id)
        let changes = [.saveMessage(stored)] + jobs.map(StoreChange.saveAttachment)
        update.commit(StoreTransaction(user: user, changes: changes, ticket: ticket))
        if let ticket { update.emit(.acknowledge(ticket, .success(id))) }
        update.emit(.notify(.message(id, jobs.isEmpty ? .queued : .uploading)))
    }

    private func refusal(of message: OutgoingMessage, _ id: MessageID) -> SendRefusal? {
        guard session.isAuthorized else { return .notAuthorized }
        let text = message.text ?? ""
        if text.isEmpty, message.files.isEmpty, message.body == .message { return .empty }
        if text.count > OutgoingMessage.longestText { return .tooLong(limit: OutgoingMessage.longestText) }
        if !settings.outboxEnabled, !socket.isReady { return .socketNotActive }
        if outbox.isFull { return .queueFull(limit: OutboxMachine.longestQueue) }
        if window[id] != nil { return .duplicate }
        for file in message.files {
            if transfers.hasUpload(file.id) { return .duplicate }
            if let refusal = configurator.refusal(of: file.file) { return refusal }
        }
        return nil
    }

    mutating func resend(_ id: MessageID, _ update: inout CoreUpdate) {
        guard let message = window[id], case .own(.failed(_, let mayHaveArrived)) = message.state else {
            update.log(.info, "only a failed message can be sent again")
            return
        }
        perform(
            outbox.resend(message, mayHaveArrived: mayHaveArrived, &window, at: update.now, serverClock), &update)
        transfers.startOver(id)
    }

    /// Forgets a message that waits or failed. One that is on its way may still arrive, and then comes back with the
    /// history.
    mutating func discard(_ id: MessageID, _ update: inout CoreUpdate) {
        guard let delivery = window[id]?.delivery, !delivery.isConfirmed else {
            update.log(.info, "only an own message that has not arrived can be discarded")
            return
        }
        outbox.remove(id)
        window.remove(id)
        save(.removeMessage(id), &update)
        perform(transfers.drop(id), &update)
    }

    /// The correlation id of the frame on the live socket whose message waits for its reply.
    var frameOnItsWay: String? {
        guard socket.isReady else { return nil }
        return frames.newestFrame { id in
            if case .sending = window[id]?.delivery { true } else { false }
        }
    }

    // MARK: Items of the server

    mutating func absorb(_ items: [Incoming], from source: Incoming.Source, _ update: inout CoreUpdate) {
        guard session.isAuthorized else { return }
        perform(intake.absorb(items, from: source, &window, at: update.now), &update)
    }

    /// Messages of the other side that were not known are here.
    mutating func received(_ news: [MessageID], from source: Incoming.Source, _ update: inout CoreUpdate) {
        if source == .live {
            typing.stop()
            reading.newsArrived()
        }
        if source != .older {
            // Those that are read at once are told as read.
            if socket.isReady, !presence.isLooking || !isForeground {
                perform(
                    reading.sendDelivered(news.filter { window[$0]?.isUnread == true }, in: window), &update)
            }
            if presence.isLooking, configuration.scrollToLatest.value { screenComposer.scrollToLatest(in: window) }
        }
        if source == .live || source == .gap(isFirst: false) { update.emit(.notify(.received(news))) }
        if source == .gap(isFirst: false) { sync.absorbedNews(news.count) }
    }

    func visibleState(_ id: MessageID, _ delivery: Delivery) -> ChatMessageState {
        delivery.visible(isUploading: transfers.isUploading(id))
    }

    mutating func tellDelivery(_ id: MessageID, _ delivery: Delivery, _ update: inout CoreUpdate) {
        update.emit(.notify(.message(id, visibleState(id, delivery))))
    }
}

extension OutgoingMessage {
    /// The message as it goes to the server.
    fileprivate func content(_ id: MessageID, clientID: String, _ settings: ChatSettings) -> Content {
        let attachments = files.map { file in
            Attachment(
                id: file.id.text, name: file.file.name, type: file.file.type, size: file.file.size, state: .pending)
        }
        return Content(
            body, clientID: clientID, uuid: id.text, text: text, attachments: attachments, quotes: quotes,
            quickReplies: quickReplies, appMarker: settings.appMarker, apiVersion: settings.apiVersion)
    }
}

extension ContentBody {
    var isSurveyAnswer: Bool {
        switch self {
        case .surveyQuestionAnswer, .surveyQualityFormAnswer: true
        default: false
        }
    }
}
