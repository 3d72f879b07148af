import ArgumentParser

/// A tool for the developers of Holdfast. It runs public conformance suites, expensive chains and soaks. It is not a
/// product of the package.
@main
struct Conformance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "holdfast-conformance",
        abstract: "Runs public conformance suites against Holdfast.",
        subcommands: [
            LimboCommand.self, PkitsCommand.self, AutobahnClientCommand.self, AutobahnServerCommand.self,
            CostCommand.self, SoakCommand.self, WeakeningCommand.self, ListCommand.self, DifferentialCommand.self,
        ])
}
