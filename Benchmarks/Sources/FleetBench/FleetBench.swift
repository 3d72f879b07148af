import ArgumentParser

/// Measures the collector of pin-failure reports and its desk, with SQLite and with PostgreSQL.
@main
struct FleetBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "FleetBench",
        abstract: "Measures the collector of pin-failure reports: sustained load, kills under load, a full desk.",
        subcommands: [LoadCommand.self, KillsCommand.self, DeskCommand.self],
        defaultSubcommand: LoadCommand.self)
}
