import ChatWire

/// Changes of messages after they were sent, and how the client is told.
extension Conversations {
    /// Raises the status of the client's messages up to a sequence number. The client is told of the messages that
    /// changed.
    mutating func raise(
        _ status: MessageStatus, in clientID: String, through sequence: Int64, _ turn: inout ConversationTurn
    ) {
        let raised = raised(status, in: clientID, through: sequence)
        for message in raised { turn.write(.messageChanged(message)) }
        if !raised.isEmpty { turn.tell(raised.map { StatusChange(messageID: $0.messageID, status: status) }) }
    }

    /// Modifies a message and sends the client its new state, by uuid.
    mutating func changeMessage(
        _ action: OperatorAction, in clientID: String, _ turn: inout ConversationTurn
    ) -> OperatorAnswer {
        let name: String
        switch action {
        case .edits(let message, let text):
            guard !text.isEmpty, text.count <= limits.textLength else {
                return .refused(OperatorRefusal(.tooLong, "A text must have 1 to \(limits.textLength) characters."))
            }
            name = message
        case .updatesAttachments(let message, let attachments):
            guard attachments.count <= limits.attachments else {
                return .refused(OperatorRefusal(.tooMany, "A message has at most \(limits.attachments) files."))
            }
            name = message
        case .deletes(let message), .transcribes(let message, _, _): name = message
        default: return .done(messageID: nil)
        }
        let known = self[clientID]?.log.name(for: name) ?? name
        guard let present = self[clientID]?.log[name: known] else {
            return .refused(OperatorRefusal(.unknownMessage, "The conversation has no message with this id."))
        }
        // A deleted message cannot get a text again, because it would count as unread once more.
        guard present.content.modified != .deleted else {
            return .refused(OperatorRefusal(.nothingToDo, "The message was deleted."))
        }
        let hasUntoldChange = !turn.isListening
        let changed = update(known, in: clientID, &turn) { message in
            message.content.apply(action)
            message.hasUntoldChange = hasUntoldChange
        }
        guard let changed else { return .refused(OperatorRefusal(.nothingToDo, "The message already has this state.")) }
        makeRoom(in: clientID, &turn)
        turn.push(changed.changeNotice(for: action))
        return .done(messageID: changed.messageID)
    }
}

extension Content {
    fileprivate mutating func apply(_ action: OperatorAction) {
        switch action {
        case .edits(_, let newText):
            text = newText
            formattedText = nil
            modified = .edited
        case .deletes:
            text = nil
            formattedText = nil
            attachments = []
            quotes = []
            quickReplies = []
            speechStatus = nil
            speechText = nil
            modified = .deleted
        case .updatesAttachments(_, let newAttachments):
            attachments = newAttachments
        case .transcribes(_, let newStatus, let newText):
            speechStatus = newStatus
            speechText = newText
        default: break
        }
    }
}

extension ServerMessage {
    fileprivate func notice(_ body: ContentBody) -> DeliveredMessage {
        var notice = Content(body, uuid: uuid, messageID: messageID)
        notice.operator = content.operator
        notice.modified = content.modified
        return DeliveredMessage(messageID: nil, sentAt: nil, content: notice)
    }

    fileprivate func changeNotice(for action: OperatorAction) -> DeliveredMessage {
        switch action {
        case .updatesAttachments:
            var notice = notice(.attachmentUpdated)
            notice.content.attachments = content.attachments
            return notice
        case .transcribes:
            var notice = notice(.speechMessageUpdated)
            notice.content.speechStatus = content.speechStatus
            notice.content.speechText = content.speechText
            return notice
        case .deletes:
            return notice(.messageDeleted)
        default:
            var notice = notice(.messageEdited)
            notice.content.text = content.text
            return notice
        }
    }

    /// Notices about the current state. The server does not store which parts have changed.
    var changeNotices: [DeliveredMessage] {
        if content.modified == .deleted { return [changeNotice(for: .deletes(message: uuid))] }
        var notices: [DeliveredMessage] = []
        if content.modified == .edited { notices.append(changeNotice(for: .edits(message: uuid, text: ""))) }
        if !content.attachments.isEmpty { notices.append(changeNotice(for: .updatesAttachments(message: uuid, []))) }
        if content.speechStatus != nil {
            notices.append(changeNotice(for: .transcribes(message: uuid, status: nil, text: nil)))
        }
        return notices
    }
}
