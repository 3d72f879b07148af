import ArgumentParser

/// `holdfast simulate`: runs a simulation. Without a name, the chat is simulated.
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run the chat, or a fleet of clients, in seeded worlds.",
        examples: [
            "holdfast simulate --seeds 100",
            "holdfast simulate fleet --scenario misrotation --clients 100000 --plots plots",
        ],
        subcommands: [SimulateChatCommand.self, SimulateFleetCommand.self],
        defaultSubcommand: SimulateChatCommand.self
    )
}
