import ArgumentParser

/// Runs public conformance suites against Holdfast, and chains made to be expensive. A tool for those who build it; no product.
@main
struct Conformance: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "holdfast-conformance",
        abstract: "Runs public conformance suites against Holdfast.",
        subcommands: [LimboCommand.self, CostCommand.self])
}
