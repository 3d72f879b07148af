import ChatWire

/// Threads: when they open and close, and which messages are sent then.
extension Conversations {
    /// Opens a thread unless one is open. If there is a bot, an operator joins at once.
    mutating func openThread(of clientID: String, _ turn: inout ConversationTurn) {
        guard let record = self[clientID]?.record, !record.isThreadOpen else { return }
        let hasOperator = bot != nil
        change(clientID, &turn) { record in
            record.isThreadOpen = true
            record.threadID = record.threadID.addingClamped(1)
            record.hasOperator = hasOperator
            record.operator = nil
        }
        announce(.threadOpened, text: nil, in: clientID, &turn)
        turn.happened(.threadOpened, to: clientID)
        if let bot {
            let name = bot.operator.name ?? "An operator"
            announce(.operatorJoined, text: "\(name) has joined", in: clientID, &turn)
        }
    }

    /// Closes the open thread, if there is one; the operator leaves.
    mutating func endThread(of clientID: String, _ turn: inout ConversationTurn) {
        guard let record = self[clientID]?.record, record.isThreadOpen else { return }
        if record.hasOperator {
            announce(.operatorLeft, text: "\(operatorName(for: clientID)) has left", in: clientID, &turn)
        }
        announce(.threadClosed, text: nil, in: clientID, &turn)
        change(clientID, &turn) { record in
            record.isThreadOpen = false
            record.hasOperator = false
            record.operator = nil
        }
        turn.happened(.threadClosed, to: clientID)
    }

    /// Lets an operator join or leave, or announce the thread's state.
    mutating func conduct(_ action: OperatorAction, in clientID: String, _ turn: inout ConversationTurn)
        -> OperatorAnswer
    {
        guard let record = self[clientID]?.record else { return .unknownClient }
        switch action {
        case .joins(let newcomer):
            openThread(of: clientID, &turn)
            change(clientID, &turn) { record in
                record.hasOperator = true
                record.operator = newcomer
            }
            announce(.operatorJoined, text: "\(operatorName(for: clientID)) has joined", in: clientID, &turn)
        case .leaves:
            guard record.hasOperator else {
                return .refused(OperatorRefusal(.nothingToDo, "No operator is in the conversation."))
            }
            announce(.operatorLeft, text: "\(operatorName(for: clientID)) has left", in: clientID, &turn)
            change(clientID, &turn) { record in
                record.hasOperator = false
                record.operator = nil
            }
        case .announces(let notice, let text):
            announce(notice.body, text: text, in: clientID, &turn)
        case .closesThread:
            guard record.isThreadOpen else {
                return .refused(OperatorRefusal(.nothingToDo, "No thread is open."))
            }
            endThread(of: clientID, &turn)
        default: break
        }
        return .done(messageID: nil)
    }

    private mutating func announce(
        _ body: ContentBody, text: String?, in clientID: String, _ turn: inout ConversationTurn
    ) {
        pushContent(
            Content(body, operator: speaker(for: clientID), text: text, display: text != nil), in: clientID, &turn)
    }

    /// Stores a content from the operators and sends it to all of the client's sockets. Returns `nil` if its uuid is in
    /// use.
    @discardableResult
    mutating func pushContent(
        _ content: Content, in clientID: String, isRaw: Bool = false, _ turn: inout ConversationTurn
    ) -> ServerMessage? {
        let uuid = content.uuid ?? turn.uuid()
        guard self[clientID]?.log[uuid: uuid] == nil,
            let message = append(content, uuid: uuid, isFromClient: false, inHistory: true, to: clientID, &turn)
        else { return nil }
        turn.push(message.delivered(), isRaw: isRaw)
        return message
    }

    /// Sends a transient content, which is not stored.
    func pushPassing(_ content: Content, isRaw: Bool = false, _ turn: inout ConversationTurn) {
        turn.push(DeliveredMessage(messageID: nil, sentAt: nil, content: content), isRaw: isRaw)
    }

    /// Returns the operator who currently writes in a conversation.
    func speaker(for clientID: String) -> Operator {
        self[clientID]?.record.operator ?? bot?.operator ?? .vera
    }

    func operatorName(for clientID: String) -> String { speaker(for: clientID).name ?? "The operator" }
}
