import ChatWire

/// The actions of operators.
extension Conversations {
    /// Executes an operator's action in one conversation.
    mutating func act(
        _ action: OperatorAction, in clientID: String, _ turn: inout ConversationTurn
    ) -> OperatorAnswer {
        guard self[clientID] != nil else { return .unknownClient }
        switch action {
        case .says(let text):
            return write(Content(.message, text: text), in: clientID, &turn)
        case .writes(let content):
            return write(content, in: clientID, &turn)
        case .types:
            showTyping(in: clientID, &turn)
        case .receives:
            raise(.delivered, in: clientID, through: .max, &turn)
        case .reads:
            raise(.read, in: clientID, through: .max, &turn)
        case .edits, .deletes, .updatesAttachments, .transcribes:
            return changeMessage(action, in: clientID, &turn)
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
            pushPassing(content, isRaw: true, &turn)
        }
        return .done(messageID: nil)
    }

    private func kept(_ message: ServerMessage?) -> OperatorAnswer {
        guard let message else {
            return .refused(OperatorRefusal(.unusable, "A message with this uuid already exists."))
        }
        return .done(messageID: message.messageID)
    }

    private func spoken(_ body: ContentBody, _ clientID: String, _ text: String? = nil) -> Content {
        Content(body, operator: speaker(for: clientID), text: text)
    }

    // MARK: Writing

    private mutating func write(_ content: Content, in clientID: String, _ turn: inout ConversationTurn)
        -> OperatorAnswer
    {
        if let refusal = refusal(of: content, in: clientID) { return .refused(refusal) }
        openThread(of: clientID, &turn)
        var content = content
        if content.operator == nil { content.operator = speaker(for: clientID) }
        return kept(pushContent(content, in: clientID, &turn))
    }

    /// Returns why an operator's message is refused; `nil` if it is accepted.
    func refusal(of content: Content, in clientID: String) -> OperatorRefusal? {
        let text = content.text ?? ""
        if text.isEmpty, content.attachments.isEmpty {
            return OperatorRefusal(.unusable, "A message needs a text or a file.")
        }
        if text.count > limits.textLength {
            return OperatorRefusal(.tooLong, "A message can have at most \(limits.textLength) characters.")
        }
        if max(content.attachments.count, content.quickReplies.count) > limits.attachments {
            return OperatorRefusal(
                .tooMany, "A message can have at most \(limits.attachments) files or quick replies.")
        }
        if let uuid = content.uuid,
            uuid.isEmpty || !limits.accepts(identifier: uuid) || self[clientID]?.log[uuid: uuid] != nil
        {
            return OperatorRefusal(.unusable, "The uuid is in use, empty or too long.")
        }
        return nil
    }

    /// Executes a planned step of the bot. Ignores a message that was removed meanwhile.
    mutating func perform(_ step: BotStep, _ turn: inout ConversationTurn) {
        let clientID = step.clientID
        switch step.action {
        case .read(let messageID):
            guard let message = self[clientID]?.log[messageID: messageID] else { return }
            raise(.read, in: clientID, through: message.sequence, &turn)
        case .type:
            showTyping(in: clientID, &turn)
        case .answer(let messageID):
            guard let message = self[clientID]?.log[messageID: messageID] else { return }
            let answer = BotReply(to: message.content)
            pushContent(
                Content(
                    .message, operator: speaker(for: clientID), text: answer.text, quickReplies: answer.quickReplies),
                in: clientID, &turn)
            if answer.closesThread { endThread(of: clientID, &turn) }
        }
    }

    /// Shows that the operator is typing.
    private func showTyping(in clientID: String, _ turn: inout ConversationTurn) {
        pushPassing(Content(.typing(draft: nil, operatorName: speaker(for: clientID).name)), &turn)
    }

    // MARK: Blocking

    private mutating func block(
        _ isBlocked: Bool, _ text: String?, in clientID: String, _ turn: inout ConversationTurn
    ) -> OperatorAnswer {
        guard let record = self[clientID]?.record, record.isBlocked != isBlocked else {
            return .refused(
                OperatorRefusal(.nothingToDo, "The client is already \(isBlocked ? "blocked" : "unblocked")."))
        }
        change(clientID, &turn) { $0.isBlocked = isBlocked }
        let body = isBlocked ? ContentBody.clientBlocked : .clientUnblocked
        return kept(pushContent(spoken(body, clientID, text), in: clientID, &turn))
    }
}

extension OperatorAnswer {
    static let unknownClient = OperatorAnswer.refused(
        OperatorRefusal(.unknownClient, "The server has no client with this id."))
}
