import ArgumentParser

/// Compares Holdfast's HTTP client with others. All clients run in turn against one server in the same process.
@main
struct ClientBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ClientBench",
        abstract: "Compares Holdfast's client with async-http-client, URLSession and a bare NIO pipeline.",
        subcommands: [RunCommand.self, IdleCommand.self, LoadCommand.self],
        defaultSubcommand: RunCommand.self)
}
