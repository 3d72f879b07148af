import BenchSupport
import ArgumentParser
import Foundation
import HoldfastNIO
import NIOPosix

/// Measures all scenarios and prints the report.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Measures every client in turn, round by round, and prints medians and ratios.")

    /// The seconds and rounds of the clients in separate processes.
    private static let peerSeconds = 2.0
    private static let peerRounds = 5

    @Option(help: "The number of rounds.")
    var rounds = 9
    @Option(help: "The seconds for one client in one round.")
    var duration = 0.35
    @Option(help: "Measure only scenarios whose name contains this text. Repeatable. See --list.")
    var only: [String] = []
    @Option(
        help: ArgumentHelp(
            "Measure only these clients, separated by commas: "
                + "\(ContestantKind.allCases.map(\.rawValue).joined(separator: ", "))."))
    var clients: String?
    @Option(help: "markdown or json.")
    var format = OutputFormat.markdown
    @Option(help: "The number of idle connections for the memory measurement; 0 to skip it.")
    var idle = 1000
    @Option(help: "The folder with the clients in other languages. Without it, they and curl are not measured.")
    var peers: String?
    @Flag(help: "Run the callers on one of the clients' event loops (EventLoopTaskExecutor).")
    var onLoop = false
    @Flag(help: "Print the names of the scenarios and exit.")
    var list = false

    func validate() throws {
        guard rounds > 0, duration > 0, idle >= 0 else {
            throw ValidationError("--rounds and --duration must be greater than 0, and --idle must not be negative.")
        }
        for name in clients?.split(separator: ",") ?? [] where ContestantKind(rawValue: String(name)) == nil {
            throw ValidationError("\"\(name)\" is not a client. See --help for the names.")
        }
        if scenarios.isEmpty {
            throw ValidationError("No scenario's name contains this text. See --list for the names.")
        }
    }

    func run() async throws {
        if list {
            for scenario in scenarios { print(scenario.name) }
            return
        }
        OpenFiles.raiseLimit()
        CountingMetrics.install()
        let server = try await BenchServer.start()
        var report = Report(
            rounds: rounds, secondsPerSlice: duration, processors: ProcessInfo.processInfo.activeProcessorCount)
        for scenario in scenarios {
            report.comparisons.append(try await compare(scenario, on: server))
        }
        if idle > 0, only.isEmpty { report.idle = try await idleFigures(server.site) }
        if let peers { report.peers = try await externalClientFigures(server.site, sources: peers) }
        try format.show(report, markdown: report.markdown)
        try await server.stop()
    }

    private var scenarios: [Scenario] {
        Scenario.standard.filter { scenario in only.isEmpty || only.contains { scenario.name.contains($0) } }
    }

    private var kinds: [ContestantKind] {
        guard let clients else { return ContestantKind.allCases }
        return clients.split(separator: ",").compactMap { ContestantKind(rawValue: String($0)) }
    }

    private func compare(_ scenario: Scenario, on server: BenchServer) async throws -> Comparison {
        StandardError.say(scenario.name)
        let kinds = kinds.filter { $0.canRun(scenario) }
        let contestants = try kinds.map { try $0.make(scenario, server.site) }
        let executor = onLoop ? EventLoopTaskExecutor(MultiThreadedEventLoopGroup.singleton.next()) : nil
        // The first use opens connections and makes one-time allocations. It is not measured.
        for contestant in contestants {
            _ = try await Load.measure(contestant, scenario, for: .seconds(min(duration, 0.2)), on: server)
        }
        var slices = contestants.map { _ in [Slice]() }
        for round in 0..<rounds {
            // The order is reversed in every second round.
            let order = round.isMultiple(of: 2) ? Array(contestants.indices) : contestants.indices.reversed()
            for index in order {
                slices[index].append(
                    try await Load.measure(
                        contestants[index], scenario, for: .seconds(duration), on: server, executor: executor))
            }
        }
        for contestant in contestants { try await contestant.shutDown() }
        return Comparison(scenario, Array(zip(kinds, slices)))
    }

    private func idleFigures(_ site: Site) async throws -> [IdleFigure] {
        StandardError.say("idle connections")
        let encoded = String(decoding: try JSONEncoder().encode(site), as: UTF8.self)
        var figures: [IdleFigure] = []
        for isSecure in [false, true] {
            let scenario = Scenario(
                version: .http1, isSecure: isSecure, body: .small, concurrency: 1, connections: 1)
            // URLSession does not open the requested number of connections.
            for kind in kinds where kind.canRun(scenario) && kind != .urlSession {
                let output = try ChildProcess.ownOutput(
                    ["idle", "--contestant", kind.rawValue, "--connections", "\(idle)", "--site", encoded]
                        + (isSecure ? ["--secure"] : []))
                figures.append(try JSONDecoder().decode(IdleFigure.self, from: Data(output.utf8)))
            }
        }
        return figures
    }

    private func externalClientFigures(_ site: Site, sources: String) async throws -> [ExternalClientFigure] {
        StandardError.say("clients in separate processes, which are compiled first")
        let peers = try ExternalClients(site, seconds: Self.peerSeconds, sources: sources)
        defer { peers.tidyUp() }
        for name in peers.skipped { StandardError.say("Not installed and skipped: \(name).") }
        return try Scenario.Version.allCases.flatMap { version in
            try [1, 32].flatMap { try peers.measure(version, $0, rounds: Self.peerRounds) }
        }
    }
}
