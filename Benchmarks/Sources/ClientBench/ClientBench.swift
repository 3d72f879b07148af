import ArgumentParser

/// Measures Holdfast's client beside others: one process, one server, in turn.
@main
struct ClientBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ClientBench",
        abstract: "Measures Holdfast's client beside async-http-client, URLSession and a bare pipeline of NIO.",
        subcommands: [RunCommand.self, IdleCommand.self, LoadCommand.self],
        defaultSubcommand: RunCommand.self)
}
