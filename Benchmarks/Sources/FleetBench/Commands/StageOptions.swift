import BenchSupport
import ArgumentParser
import Foundation

/// The options of all commands.
struct StageOptions: ParsableArguments {
    @Option(help: "The database: \(Engine.allCases.map(\.rawValue).joined(separator: " or ")).")
    var engine = Engine.sqlite
    @Option(help: "The folder for the database, on the disk to measure. PostgreSQL's user must have access.")
    var folder = FileManager.default.temporaryDirectory.path
    @Option(help: "The path of the tool (default: holdfast, next to this program).")
    var holdfast: String?
    @Option(help: "A setting of PostgreSQL, such as shared_buffers=1GB. Repeatable.")
    var setting: [String] = []
    @Option(help: "The seed of everything that is random.")
    var seed: UInt64 = 7
    @Flag(help: "Print the figures as JSON.")
    var json = false

    /// The path of the tool.
    var program: String {
        if let holdfast { return holdfast }
        let own = URL(fileURLWithPath: ChildProcess.ownPath)
        return own.deletingLastPathComponent().appendingPathComponent("holdfast").path
    }

    /// Prints figures as Markdown or as JSON.
    func report(_ figures: some Encodable, markdown: String) throws {
        try (json ? OutputFormat.json : .markdown).show(figures, markdown: markdown)
    }
}
