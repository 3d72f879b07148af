import ChatWire

// The client's own messages: what the host application asks for, and what becomes of the outbox's actions.
extension ChatCore {
    mutating func send(_ ticket: Ticket, _ id: MessageID, _ message: OutgoingMessage, _ turn: inout CoreUpdate) {
        if let refusal = refusal(of: message, id) {
            turn.emit(.acknowledge(ticket, .failure(refusal)))
            return
        }
        var message = message
        if message.body == .message, let quote = composer.sent() { message.quotes.append(quote) }
        take(message, id, ticket, &turn)
        screenComposer.scrollToLatest(in: window)
    }

    /// Takes a message of the core's own making: an answer to a survey. Nobody waits for its acknowledgement; if it
    /// cannot be kept now, that is tried again.
    mutating func enqueue(_ message: OutgoingMessage, _ turn: inout CoreUpdate) {
        let id = MessageID(turn.entropy.uuid())
        if let refusal = refusal(of: message, id) {
            turn.log(.error, "an answer was not taken: \(refusal)")
            return
        }
        take(message, id, nil, &turn)
    }

    private mutating func take(_ message: OutgoingMessage, _ id: MessageID, _ ticket: Ticket?, _ turn: inout CoreUpdate)
    {
        guard let user = session.clientID else { return }
        let content = message.content(id, clientID: user, settings)
        let delay = message.body.isSurveyAnswer ? Int64(configuration.surveyCompletionDelay.value) : 0
        let stored = outbox.add(
            content, id, notBefore: delay > 0 ? turn.now.after(milliseconds: delay) : nil, &window, at: turn.now,
            serverClock)
        let jobs = transfers.plan(message.files, of: id)
        let changes = [.saveMessage(stored)] + jobs.map(StoreChange.saveAttachment)
        turn.commit(StoreTransaction(user: user, changes: changes, ticket: ticket))
        if let ticket { turn.emit(.acknowledge(ticket, .success(id))) }
        turn.emit(.notify(.message(id, jobs.isEmpty ? .queued : .uploading)))
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

    mutating func resend(_ id: MessageID, _ turn: inout CoreUpdate) {
        guard let message = window[id], case .own(.failed(_, let mayHaveArrived)) = message.state else {
            turn.log(.info, "only a failed message can be sent again")
            return
        }
        perform(
            outbox.resend(message, mayHaveArrived: mayHaveArrived, &window, at: turn.now, serverClock), &turn)
        transfers.startOver(id)
    }

    /// Forgets a message that waits or failed. One that is on its way may still arrive, and then comes back with the
    /// history.
    mutating func discard(_ id: MessageID, _ turn: inout CoreUpdate) {
        guard let delivery = window[id]?.delivery, !delivery.isConfirmed else {
            turn.log(.info, "only an own message that has not arrived can be discarded")
            return
        }
        outbox.remove(id)
        window.remove(id)
        save(.removeMessage(id), &turn)
        perform(transfers.drop(id), &turn)
    }

    /// The correlation id of the frame on the live socket whose message waits for its reply.
    var frameOnItsWay: String? {
        guard socket.isReady else { return nil }
        return frames.newestFrame { id in
            if case .sending = window[id]?.delivery { true } else { false }
        }
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
