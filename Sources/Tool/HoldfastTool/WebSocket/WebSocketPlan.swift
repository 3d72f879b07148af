import HoldfastWebSocket

/// When a session ends by itself, and how it reads its input.
struct WebSocketPlan: Hashable, Sendable {
    /// Whether lines come from somebody who types: mistakes are told and nothing else, and the end of the input closes at
    /// once.
    var isPrompt = false
    /// Whether a line that begins with a slash is a command.
    var takesCommands = false
    /// The number of messages after which the connection is closed.
    var count: Int?
    /// How long nothing may come, once the input has ended, before the connection is closed.
    var quiet: Duration = .seconds(1)
    /// How long a pong may take.
    var pongTimeout: Duration = .seconds(10)
}
