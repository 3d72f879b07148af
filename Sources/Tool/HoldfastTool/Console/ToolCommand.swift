import ArgumentParser

/// A command of the tool. It talks through a ``Console`` alone, so that a test can run it in its own process.
protocol ToolCommand: AsyncParsableCommand {
    /// Whether the command may run until it is interrupted.
    var isLongRunning: Bool { get }
    /// Carries the command out. Throws ``ToolError`` (or any error, which is put into one sentence).
    mutating func run(on console: Console) async throws
}

extension ToolCommand {
    var isLongRunning: Bool { false }

    mutating func run() async throws {
        try await run(on: .standard)
    }
}
