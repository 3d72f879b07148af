import HoldfastBase
import ArgumentParser
import HoldfastSystem

/// `holdfast serve`: servers that run until they are interrupted.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a server until it is interrupted.",
        examples: [
            "holdfast serve chat --tls --root root.pem",
            "holdfast serve collector --database reports.sqlite",
        ],
        subcommands: [ServeChatCommand.self, ServeCollectorCommand.self]
    )

    /// Runs a server until it ends. An interruption stops it; requests in progress complete.
    ///
    /// - Parameter log: The server's log; `nil` if it is the console.
    static func run(
        on console: Console, _ log: ServerLog? = nil, stop: @escaping @Sendable () -> Void,
        _ server: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await server()
                return true
            }
            group.addTask {
                await Interruption.wait()
                stop()
                return false
            }
            while let isOver = try await group.next(), !isOver {}
            group.cancelAll()
        }
        log?.write(.stopped)
        if log?.format != .json { console.note("stopped") }
    }
}

/// Reads the environment.
enum EnvironmentVariable {
    /// Returns a variable's value, which may be empty; `nil` if it is not set. The caller must handle an empty value:
    /// for example, an empty token must not count as no token, because that would let more clients read.
    static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
