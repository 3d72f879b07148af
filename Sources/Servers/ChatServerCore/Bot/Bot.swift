package import ChatWire
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

/// A planned step of the bot.
struct BotStep: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        /// Marks the message as read.
        case read(messageID: String)
        /// Shows that an answer is being typed.
        case type
        /// Answers the message.
        case answer(messageID: String)
    }

    /// When the step is due, on the monotonic clock.
    var due: Int64
    var clientID: String
    var action: Action
}

/// The bot's answer to a message. Equal messages get equal answers, so that demos and tests can expect them.
struct BotReply: Hashable, Sendable {
    var text: String
    var quickReplies: [QuickReply] = []
    /// Whether the operator leaves with this answer.
    var closesThread = false

    init(to content: Content) {
        let text = content.text ?? ""
        switch text.lowercased() {
        case _ where !content.attachments.isEmpty:
            let names = content.attachments.map { Self.describe($0) }
            self.text = "Thank you, I have received " + names.joined(separator: ", ") + "."
        case "menu", "help":
            self.text = "What would you like to know?"
            quickReplies = ["Opening hours", "Prices", "Bye"].enumerated().map { index, text in
                QuickReply(id: String(index + 1), text: text)
            }
        case "bye":
            self.text = "Goodbye!"
            closesThread = true
        default:
            self.text = "You wrote: \(text)"
        }
    }

    private static func describe(_ attachment: Attachment) -> String {
        let name = attachment.name ?? "a file"
        return attachment.size.map { "\(name) (\($0) bytes)" } ?? name
    }
}

/// The settings of the bot, the operator that answers automatically.
package struct BotSettings: Hashable, Sendable {
    /// The operator who answers.
    package var `operator`: Operator
    /// The delay from a message to its answer in nanoseconds. The message is marked as read after a quarter of it, and
    /// typing is shown after half.
    package var delay: Int64

    package init(operator: Operator = .vera, delay: Int64 = 1_200_000_000) {
        self.operator = `operator`
        self.delay = max(0, delay)
    }
}

extension Operator {
    /// The development server's operator.
    package static let vera = Operator(id: "1", name: "Vera", gender: .female, role: .bot)
}
