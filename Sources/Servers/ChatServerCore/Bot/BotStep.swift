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
