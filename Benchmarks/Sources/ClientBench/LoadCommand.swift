import ArgumentParser
import Foundation

/// Measures one client in a child process, as clients in other languages are measured. Prints the number of requests
/// and the seconds.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "load", shouldDisplay: false)

    @Option var contestant: ContestantKind
    @Option var version = Scenario.Version.http1
    @Option var concurrency: Int
    @Option var seconds: Double
    /// The ``Site`` of the server as JSON.
    @Option var site: String

    func run() async throws {
        let site = try JSONDecoder().decode(Site.self, from: Data(self.site.utf8))
        let scenario = Scenario(
            version: version, isSecure: true, body: .small, concurrency: concurrency, connections: concurrency)
        let client = try contestant.make(scenario, site)
        let start = ContinuousClock.now
        let requests = try await Load.run(client, scenario, until: start + .seconds(seconds))
        print("\(requests) \((ContinuousClock.now - start) / .seconds(1))")
        try await client.shutDown()
    }
}
