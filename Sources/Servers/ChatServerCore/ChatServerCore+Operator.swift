import ChatWire
import DequeModule
import OrderedCollections

extension ChatServerCore {
    /// An action of an operator, in one conversation or in all. In all, it is done wherever it can be done.
    mutating func act(_ action: OperatorAction, clientID: String?, _ turn: inout Turn) -> OperatorAnswer {
        guard let clientID else {
            for known in Array(clients.keys) { _ = act(action, in: known, &turn) }
            return .done(messageID: nil)
        }
        guard clients[clientID] != nil else { return .unknownClient }
        return act(action, in: clientID, &turn)
    }

    private mutating func act(_ action: OperatorAction, in clientID: String, _ turn: inout Turn) -> OperatorAnswer {
        switch action {
        case .says(let text):
            return write(Content(.message, text: text), in: clientID, &turn)
        case .writes(let content):
            return write(content, in: clientID, &turn)
        case .types:
            let name = speaker(for: clientID).name
            pushPassing(Content(.typing(draft: nil, operatorName: name)), in: clientID, &turn)
        case .receives:
            raise(.delivered, in: clientID, through: .max, &turn)
        case .reads:
            raise(.read, in: clientID, through: .max, &turn)
        case .edits, .deletes, .updatesAttachments, .transcribes:
            return change(action, in: clientID, &turn)
        case .joins, .leaves, .announces, .closesThread:
            return conduct(action, in: clientID, &turn)
        case .requestsClose(let hideAfter):
            return kept(pushContent(spoken(.requestCloseThread(hideAfter: hideAfter), clientID), in: clientID, &turn))
        case .surveys(let survey, let asButtons):
            let body: ContentBody = asButtons ? .buttonSurvey(survey) : .survey(survey)
            return kept(pushContent(spoken(body, clientID), in: clientID, &turn))
        case .blocks(let text):
            return block(true, text, in: clientID, &turn)
        case .unblocks(let text):
            return block(false, text, in: clientID, &turn)
        case .informsOfProcessing(let text):
            return kept(pushContent(spoken(.clientPersonalDataProcessing, clientID, text), in: clientID, &turn))
        case .pushes(let content, let isKept):
            if isKept { return kept(pushContent(content, in: clientID, isRaw: true, &turn)) }
            pushPassing(content, in: clientID, isRaw: true, &turn)
        }
        return .done(messageID: nil)
    }

    private func kept(_ message: StoredMessage?) -> OperatorAnswer {
        guard let message else {
            return .refused(OperatorRefusal(.unusable, "There is a message with this uuid already."))
        }
        return .done(messageID: message.messageID)
    }

    private func spoken(_ body: ContentBody, _ clientID: String, _ text: String? = nil) -> Content {
        Content(body, operator: speaker(for: clientID), text: text)
    }

    // MARK: Writing

    private mutating func write(_ content: Content, in clientID: String, _ turn: inout Turn) -> OperatorAnswer {
        let text = content.text ?? ""
        if text.isEmpty, content.attachments.isEmpty {
            return .refused(OperatorRefusal(.unusable, "A message has a text or a file."))
        }
        if text.count > settings.limits.textLength {
            return .refused(
                OperatorRefusal(.tooLong, "A message has at most \(settings.limits.textLength) characters."))
        }
        if max(content.attachments.count, content.quickReplies.count) > settings.limits.attachments {
            return .refused(
                OperatorRefusal(
                    .tooMany, "A message has at most \(settings.limits.attachments) files or quick replies."))
        }
        if let uuid = content.uuid, uuid.isEmpty || !isAcceptable(uuid) || clients[clientID]?.log[uuid: uuid] != nil {
            return .refused(OperatorRefusal(.unusable, "The uuid is that of another message, empty, or too long."))
        }
        openThread(of: clientID, &turn)
        var content = content
        if content.operator == nil { content.operator = speaker(for: clientID) }
        return kept(pushContent(content, in: clientID, &turn))
    }

    /// An operator's message.
    mutating func say(
        _ text: String, quickReplies: [QuickReply] = [], in clientID: String, _ turn: inout Turn
    ) {
        pushContent(
            Content(.message, operator: speaker(for: clientID), text: text, quickReplies: quickReplies), in: clientID,
            &turn)
    }

    /// The client's messages up to this one have come at least so far with the operator; the client is told of those that
    /// have newly come so far.
    mutating func raise(
        _ status: MessageStatus, in clientID: String, through sequence: Int64, _ turn: inout Turn
    ) {
        let behind = clients[clientID]?.log.messages.filter { message in
            message.isFromClient && message.isInHistory && message.status < status && message.sequence <= sequence
        }
        var changes: [StatusChange] = []
        for message in behind ?? [] {
            guard let raised = clients[clientID]?.log.update(message.messageID, { $0.status = status }) else {
                continue
            }
            turn.write(.messageChanged(raised))
            changes.append(StatusChange(messageID: raised.messageID, status: status))
        }
        guard !changes.isEmpty else { return }
        for id in readyConnections(of: clientID) {
            turn.send(id, ServerFrame(.statuses(changes), createdAt: turn.now.wall))
        }
    }

    // MARK: Blocking

    private mutating func block(
        _ isBlocked: Bool, _ text: String?, in clientID: String, _ turn: inout Turn
    ) -> OperatorAnswer {
        guard var record = clients[clientID]?.record, record.isBlocked != isBlocked else {
            return .refused(OperatorRefusal(.nothingToDo, "The client is \(isBlocked ? "blocked" : "free") already."))
        }
        record.isBlocked = isBlocked
        clients[clientID]?.record = record
        turn.write(.client(record))
        let body = isBlocked ? ContentBody.clientBlocked : .clientUnblocked
        return kept(pushContent(spoken(body, clientID, text), in: clientID, &turn))
    }
}
