/// When a chat ends by itself, and how it reads its input.
struct ChatPlan: Hashable, Sendable {
    /// Whether lines come from somebody who types: mistakes are told and nothing else, and the end of the input ends at once.
    var isPrompt = false
    /// Whether a line that begins with a slash is a command.
    var takesCommands = false
    /// The number of messages of the other side after which it ends.
    var count: Int?
    /// How long nothing may come, once the input has ended and every message has its fate, before it ends.
    var quiet: Duration = .seconds(1)
    /// What decides whether the server is trusted, in words.
    var trust = "the system's verification"
    /// How long messages have to be sent, once the input has ended.
    var patience: Duration = .seconds(30)
}
