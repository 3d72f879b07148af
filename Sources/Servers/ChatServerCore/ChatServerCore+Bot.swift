import ChatWire
import DequeModule
import OrderedCollections

extension ChatServerCore {
    /// Plans what the bot does about a message: read it, type, answer.
    mutating func planAnswer(to message: StoredMessage, _ turn: inout Turn) {
        guard let bot = settings.bot else { return }
        guard botSteps.count + 3 <= settings.limits.botSteps else { return turn.note(.botOverloaded) }
        let now = turn.now.monotonic
        plan(.read(messageID: message.messageID), at: now.addingClamped(bot.delay / 4), message.clientID)
        plan(.type, at: now.addingClamped(bot.delay / 2), message.clientID)
        plan(.answer(messageID: message.messageID), at: now.addingClamped(bot.delay), message.clientID)
    }

    /// After a restart nothing is planned: the newest message is answered once its author is back.
    mutating func resumeBot(for clientID: String, _ turn: inout Turn) {
        guard let last = clients[clientID]?.log.messages.last(where: \.isInHistory), last.isFromClient,
            !botSteps.contains(where: { $0.action == .answer(messageID: last.messageID) })
        else { return }
        planAnswer(to: last, &turn)
    }

    private mutating func plan(_ action: BotStep.Action, at due: Int64, _ clientID: String) {
        let step = BotStep(due: due, clientID: clientID, action: action)
        botSteps.insert(step, at: botSteps.firstIndex { $0.due > due } ?? botSteps.endIndex)
    }

    /// Does what is due.
    mutating func runBot(_ turn: inout Turn) {
        while let step = botSteps.first, step.due <= turn.now.monotonic {
            botSteps.removeFirst()
            switch step.action {
            case .read(let messageID):
                guard let message = clients[step.clientID]?.log[messageID: messageID] else { continue }
                raise(.read, in: step.clientID, through: message.sequence, &turn)
            case .type:
                let name = speaker(for: step.clientID).name
                pushPassing(Content(.typing(draft: nil, operatorName: name)), in: step.clientID, &turn)
            case .answer(let messageID):
                guard let message = clients[step.clientID]?.log[messageID: messageID] else { continue }
                let answer = BotReply(to: message.content)
                say(answer.text, quickReplies: answer.quickReplies, in: step.clientID, &turn)
                if answer.closesThread { endThread(of: step.clientID, &turn) }
            }
        }
    }
}
