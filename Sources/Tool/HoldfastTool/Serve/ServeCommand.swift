import ArgumentParser

/// `holdfast serve`: servers that run until they are interrupted.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs a server until it is interrupted.",
        subcommands: [ServeChatCommand.self, ServeCollectorCommand.self]
    )
}
