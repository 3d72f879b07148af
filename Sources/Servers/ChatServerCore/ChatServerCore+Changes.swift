import ChatWire
import OrderedCollections

/// Messages that are changed after they were sent.
extension ChatServerCore {
    /// Changes a message and tells the client its new state, by uuid.
    mutating func change(_ action: OperatorAction, in clientID: String, _ turn: inout Turn) -> OperatorAnswer {
        let name: String
        switch action {
        case .edits(let message, let text):
            guard !text.isEmpty, text.count <= settings.limits.textLength else {
                return .refused(
                    OperatorRefusal(.tooLong, "A text has 1 to \(settings.limits.textLength) characters."))
            }
            name = message
        case .updatesAttachments(let message, let attachments):
            guard attachments.count <= settings.limits.attachments else {
                return .refused(
                    OperatorRefusal(.tooMany, "A message has at most \(settings.limits.attachments) files."))
            }
            name = message
        case .deletes(let message), .transcribes(let message, _, _): name = message
        default: return .done(messageID: nil)
        }
        let known = clients[clientID]?.log.name(for: name) ?? name
        guard let present = clients[clientID]?.log[name: known] else {
            return .refused(OperatorRefusal(.unknownMessage, "The conversation has no message of this name."))
        }
        // What was taken back stays so: with a text again it would count as unread once more.
        guard present.content.modified != .deleted else {
            return .refused(OperatorRefusal(.nothingToDo, "The message was taken back."))
        }
        let hasListeners = !readyConnections(of: clientID).isEmpty
        let changed = clients[clientID]?.log.update(known) { message in
            Self.apply(action, to: &message.content)
            message.hasUntoldChange = !hasListeners
        }
        guard let changed else { return .refused(OperatorRefusal(.nothingToDo, "The message is so already.")) }
        turn.write(.messageChanged(changed))
        makeRoom(in: clientID, &turn)
        for id in readyConnections(of: clientID) { push([changed.changeNotice(for: action)], to: id, &turn) }
        return .done(messageID: changed.messageID)
    }

    private static func apply(_ action: OperatorAction, to content: inout Content) {
        switch action {
        case .edits(_, let text):
            content.text = text
            content.formattedText = nil
            content.modified = .edited
        case .deletes:
            content.text = nil
            content.formattedText = nil
            content.attachments = []
            content.quotes = []
            content.quickReplies = []
            content.speechStatus = nil
            content.speechText = nil
            content.modified = .deleted
        case .updatesAttachments(_, let attachments):
            content.attachments = attachments
        case .transcribes(_, let status, let text):
            content.speechStatus = status
            content.speechText = text
        default: break
        }
    }

    /// What changed while the client was away. Each is told once, to the first socket that comes; whoever misses it has it
    /// from the history.
    mutating func takeUntoldChanges(of clientID: String, _ turn: inout Turn) -> [DeliveredMessage] {
        let untold = clients[clientID]?.log.messages.filter { $0.hasUntoldChange } ?? []
        var notices: [DeliveredMessage] = []
        for message in untold.suffix(settings.limits.unconfirmedMessages) {
            let told = clients[clientID]?.log.update(message.messageID) { $0.hasUntoldChange = false }
            guard let told else { continue }
            turn.write(.messageChanged(told))
            notices += told.changeNotices
        }
        return notices
    }
}

extension StoredMessage {
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

    /// The present state, as notices: which of its parts has changed is not kept.
    fileprivate var changeNotices: [DeliveredMessage] {
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
