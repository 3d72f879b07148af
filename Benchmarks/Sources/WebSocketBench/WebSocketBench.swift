import ArgumentParser

/// Compares both ends of Holdfast's WebSocket with others, in turn, in one process.
@main
struct WebSocketBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "WebSocketBench",
        abstract: "Compares both ends of Holdfast's WebSocket with bare NIOWebSocket and Python's websockets.",
        subcommands: [RunCommand.self, IdleCommand.self],
        defaultSubcommand: RunCommand.self)
}
