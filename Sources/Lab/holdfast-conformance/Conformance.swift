import ArgumentParser

/// Runs public conformance suites against Holdfast, chains made to be expensive, and soaks. A tool for those who build it; no product.
@main
struct Conformance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "holdfast-conformance",
        abstract: "Runs public conformance suites against Holdfast.",
        subcommands: [
            LimboCommand.self, PkitsCommand.self, AutobahnClientCommand.self, AutobahnServerCommand.self,
            CostCommand.self, SoakCommand.self, WeakeningCommand.self,
        ])
}
