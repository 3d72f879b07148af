import ArgumentParser

/// Compares both ends of Holdfast's WebSocket with others, in turn, in one process.
@main
struct WebSocketBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "WebSocketBench",
        abstract: "Compares both ends of Holdfast's WebSocket with bare NIOWebSocket and peers of other languages.",
        subcommands: [RunCommand.self, ScaleCommand.self, IdleCommand.self, ScaleClientsCommand.self],
        defaultSubcommand: RunCommand.self)
}
