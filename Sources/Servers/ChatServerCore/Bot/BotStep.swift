/// One thing that the bot is about to do.
struct BotStep: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        /// Mark the message as read.
        case read(messageID: String)
        /// Show that an answer is being typed.
        case type
        /// Answer the message.
        case answer(messageID: String)
    }

    /// When, on the monotonic clock.
    var due: Int64
    var clientID: String
    var action: Action
}
