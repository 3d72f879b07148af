import DequeModule

/// The bot's planned steps: read a message, type, and answer it. Without a bot, nothing is planned.
struct BotSchedule: Hashable, Sendable {
    /// Sorted by time; steps with the same time are in the order in which they were planned.
    private var steps: Deque<BotStep> = []
    private let bot: BotSettings?
    /// The maximum number of planned steps.
    private let limit: Int

    init(bot: BotSettings?, limit: Int) {
        self.bot = bot
        self.limit = limit
    }

    /// When the next step is due, on the monotonic clock.
    var nextDue: Int64? { steps.first?.due }

    /// Plans the answer to a message. Returns `false` when too many steps are planned.
    mutating func planAnswer(to message: ServerMessage, at now: Int64) -> Bool {
        guard let bot else { return true }
        guard steps.count + 3 <= limit else { return false }
        plan(.read(messageID: message.messageID), at: now.addingClamped(bot.delay / 4), message.clientID)
        plan(.type, at: now.addingClamped(bot.delay / 2), message.clientID)
        plan(.answer(messageID: message.messageID), at: now.addingClamped(bot.delay), message.clientID)
        return true
    }

    /// Returns whether the answer to a message is planned.
    func isAnswering(_ message: ServerMessage) -> Bool {
        steps.contains { $0.action == .answer(messageID: message.messageID) }
    }

    /// Takes the next step that is due.
    mutating func takeDue(at now: Int64) -> BotStep? {
        guard let step = steps.first, step.due <= now else { return nil }
        return steps.removeFirst()
    }

    private mutating func plan(_ action: BotStep.Action, at due: Int64, _ clientID: String) {
        let step = BotStep(due: due, clientID: clientID, action: action)
        steps.insert(step, at: steps.firstIndex { $0.due > due } ?? steps.endIndex)
    }
}
