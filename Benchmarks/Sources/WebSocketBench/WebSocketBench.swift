import ArgumentParser

/// Measures Holdfast's WebSocket, both ends of it, beside others: one process, in turn.
@main
struct WebSocketBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "WebSocketBench",
        abstract: "Measures both ends of Holdfast's WebSocket beside bare NIOWebSocket and Python's websockets.",
        subcommands: [RunCommand.self, IdleCommand.self],
        defaultSubcommand: RunCommand.self)
}
