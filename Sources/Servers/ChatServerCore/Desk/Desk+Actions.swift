import ChatWire

/// The actions of operators at the desk, on top of the actions that scripts can execute.
extension Desk {
    /// Executes an action in one conversation.
    mutating func act(
        _ action: DeskAction, in clientID: String, by person: DeskOperator, _ conversations: inout Conversations,
        _ turn: inout ConversationTurn
    ) -> DeskAnswer {
        guard conversations[clientID] != nil else { return .unknownClient }
        do throws(OperatorRefusal) {
            return try perform(action, in: clientID, by: person, &conversations, &turn)
        } catch {
            return .refused(error)
        }
    }

    private mutating func perform(
        _ action: DeskAction, in clientID: String, by person: DeskOperator, _ conversations: inout Conversations,
        _ turn: inout ConversationTurn
    ) throws(OperatorRefusal) -> DeskAnswer {
        switch action {
        case .says(let content):
            return try say(content, in: clientID, by: person, &conversations, &turn)
        case .notes(let id, let text):
            guard !id.isEmpty, conversations.limits.accepts(identifier: id) else {
                throw OperatorRefusal(.unusable, "The id of the note is empty or too long.")
            }
            let note = DeskNote(noteID: id, clientID: clientID, author: person, text: text, writtenAt: turn.now.wall)
            try add(note, &turn)
            return .done(messageID: id)
        case .types:
            try permit(person, in: clientID)
            return answer(conversations.act(.types, in: clientID, &turn))
        case .reads(let messageID):
            guard let message = conversations[clientID]?.log[messageID: messageID] else {
                throw OperatorRefusal(.unknownMessage, "The conversation has no message with this id.")
            }
            conversations.raise(.read, in: clientID, through: message.sequence, &turn)
            return .done(messageID: nil)
        case .claims(let predecessor):
            guard try claim(clientID, by: person, from: predecessor, &turn) else { return .done(messageID: nil) }
            join(clientID, person, &conversations, &turn)
            return .done(messageID: nil)
        case .releases:
            try permit(person, in: clientID)
            guard assignments[clientID] != nil else {
                throw OperatorRefusal(.nothingToDo, "The conversation is not assigned.")
            }
            release(clientID, &turn)
            // The operator may have left already, by an action of a script.
            _ = conversations.act(.leaves, in: clientID, &turn)
            return .done(messageID: nil)
        case .closes(let survey):
            try permit(person, in: clientID)
            guard conversations[clientID]?.record.isThreadOpen == true else {
                throw OperatorRefusal(.nothingToDo, "The conversation is already closed.")
            }
            // The survey comes first, because the operator who asks leaves with the thread.
            if let survey,
                let refusal = conversations.act(.surveys(survey, asButtons: false), in: clientID, &turn).refusal
            {
                throw refusal
            }
            return answer(conversations.act(.closesThread, in: clientID, &turn))
        }
    }

    private mutating func say(
        _ content: Content, in clientID: String, by person: DeskOperator, _ conversations: inout Conversations,
        _ turn: inout ConversationTurn
    ) throws(OperatorRefusal) -> DeskAnswer {
        if let uuid = content.uuid, let known = conversations[clientID]?.log[uuid: uuid], !known.isFromClient {
            return .done(messageID: known.messageID)
        }
        if let refusal = conversations.refusal(of: content, in: clientID) { throw refusal }
        _ = try claim(clientID, by: person, &turn)
        join(clientID, person, &conversations, &turn)
        return answer(conversations.act(.writes(content), in: clientID, &turn))
    }

    /// Lets an operator join a conversation, unless that operator is already there.
    private func join(
        _ clientID: String, _ person: DeskOperator, _ conversations: inout Conversations,
        _ turn: inout ConversationTurn
    ) {
        guard let record = conversations[clientID]?.record else { return }
        if record.isThreadOpen, record.hasOperator, record.operator?.id == person.id { return }
        let newcomer = Operator(id: person.id, name: person.name, role: .operator)
        _ = conversations.act(.joins(newcomer), in: clientID, &turn)
    }

    private func answer(_ answer: OperatorAnswer) -> DeskAnswer {
        switch answer {
        case .done(let messageID): .done(messageID: messageID)
        case .refused(let refusal): .refused(refusal)
        // Actions have no other answers.
        default: .done(messageID: nil)
        }
    }
}

extension DeskAnswer {
    static let unknownClient = DeskAnswer.refused(
        OperatorRefusal(.unknownClient, "The server has no client with this id."))

    /// The refusal, if this is one.
    package var refusal: OperatorRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}
