import ArgumentParser

/// A command of the tool. It talks through a ``Console`` alone, so that a test can run it in its own process.
protocol ToolCommand: AsyncParsableCommand {
    /// Carries the command out. Throws ``ToolError`` (or any error, which is put into one sentence).
    mutating func run(on console: Console) async throws
}

extension ToolCommand {
    mutating func run() async throws {
        try await run(on: .standard)
    }
}
