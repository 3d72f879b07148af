import ChatWire
import DequeModule
import OrderedCollections

extension ChatServerCore {
    /// An action of an operator, in one conversation or in all.
    mutating func act(_ action: OperatorAction, clientID: String?, _ turn: inout Turn) {
        guard let clientID else {
            for known in Array(clients.keys) { act(action, in: known, &turn) }
            return
        }
        guard clients[clientID] != nil else { return turn.note(.unknownClient) }
        act(action, in: clientID, &turn)
    }

    private mutating func act(_ action: OperatorAction, in clientID: String, _ turn: inout Turn) {
        switch action {
        case .says(let text):
            openThread(of: clientID, &turn)
            say(text, in: clientID, &turn)
        case .types:
            pushPassing(Content(.typing(draft: nil, operatorName: operatorName)), in: clientID, &turn)
        case .reads:
            markRead(in: clientID, through: .max, &turn)
        case .edits(let name, let text):
            change(name, in: clientID, .messageEdited, &turn) { content in
                content.text = text
                content.modified = .edited
            }
        case .deletes(let name):
            change(name, in: clientID, .messageDeleted, &turn) { content in
                content.text = nil
                content.formattedText = nil
                content.attachments = []
                content.modified = .deleted
            }
        case .closesThread:
            endThread(of: clientID, &turn)
        case .pushes(let content, let isKept):
            if isKept {
                pushContent(content, in: clientID, &turn)
            } else {
                pushPassing(content, in: clientID, &turn)
            }
        }
    }

    /// An operator's message.
    mutating func say(
        _ text: String, quickReplies: [QuickReply] = [], in clientID: String, _ turn: inout Turn
    ) {
        pushContent(
            Content(.message, operator: `operator`, text: text, quickReplies: quickReplies), in: clientID, &turn)
    }

    /// The operator has read the client's messages up to this one; the client is told of those that are newly read.
    mutating func markRead(in clientID: String, through sequence: Int64, _ turn: inout Turn) {
        let unread = clients[clientID]?.log.messages.filter { message in
            message.isFromClient && message.isInHistory && message.status < .read && message.sequence <= sequence
        }
        var changes: [StatusChange] = []
        for message in unread ?? [] {
            guard let read = clients[clientID]?.log.update(message.messageID, { $0.status = .read }) else { continue }
            turn.write(.messageChanged(read))
            changes.append(StatusChange(messageID: read.messageID, status: .read))
        }
        guard !changes.isEmpty else { return }
        for id in readyConnections(of: clientID) {
            turn.send(id, ServerFrame(.statuses(changes), createdAt: turn.now.wall))
        }
    }

    /// Changes a message and tells the client its new state, by uuid.
    private mutating func change(
        _ name: String, in clientID: String, _ body: ContentBody, _ turn: inout Turn,
        _ change: (inout Content) -> Void
    ) {
        guard let changed = clients[clientID]?.log.update(name, { change(&$0.content) }) else { return }
        turn.write(.messageChanged(changed))
        var notice = Content(body, uuid: changed.uuid, messageID: changed.messageID, text: changed.content.text)
        notice.operator = changed.content.operator
        notice.modified = changed.content.modified
        pushPassing(notice, in: clientID, &turn)
    }
}
