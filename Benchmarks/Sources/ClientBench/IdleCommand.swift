import BenchSupport
import ArgumentParser
import Foundation

/// Measures one client's idle connections. A run starts this command in a child process. Prints an ``IdleFigure``.
struct IdleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "idle", shouldDisplay: false)

    @Option var contestant: ContestantKind
    @Option var connections: Int
    @Flag var secure = false
    /// The ``Site`` of the server as JSON.
    @Option var site: String

    func run() async throws {
        OpenFiles.raiseLimit()
        let site = try JSONDecoder().decode(Site.self, from: Data(self.site.utf8))
        var scenario = Scenario(version: .http1, isSecure: secure, body: .small, concurrency: 1, connections: 1)
        // One-time allocations must happen before the first measurement.
        let first = try contestant.make(scenario, site)
        for _ in 0..<10 { _ = try await first.get() }
        let before = ResidentSet.kibibytes()

        scenario.concurrency = connections
        scenario.connections = connections
        let client = try contestant.make(scenario, site, path: "/hold/\(connections)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<connections { group.addTask { _ = try await client.get() } }
            try await group.waitForAll()
        }
        let after = ResidentSet.kibibytes()
        let figure = IdleFigure(
            contestant: contestant, isSecure: secure, connections: connections,
            kibibytes: (after - before) / Double(connections))
        print(String(decoding: try JSONEncoder().encode(figure), as: UTF8.self))
        try await client.shutDown()
        try await first.shutDown()
    }
}
