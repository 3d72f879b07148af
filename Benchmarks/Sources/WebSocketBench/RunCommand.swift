import ArgumentParser
import BenchSupport
import Foundation

/// Measures all scenarios and prints the report.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Measures every contestant in turn, round by round, and prints medians and ratios.")

    @Option(help: "The number of rounds.")
    var rounds = 5
    @Option(help: "The seconds for one contestant in one round.")
    var duration = 0.15
    @Option(help: "Measure only scenarios whose name contains this text. Repeatable. See --list.")
    var only: [String] = []
    @Option(
        help:
            "Measure only these, separated by commas: \(Contestant.allCases.map(\.rawValue).joined(separator: ", "))."
    )
    var contestants: String?
    @Option(help: "markdown or json.")
    var format = OutputFormat.markdown
    @Option(
        help: "The number of idle connections for the memory measurement, and a tenth of it over TLS; 0 to skip it.")
    var idle = 10_000
    @Option(help: "The text of the messages: ascii or cyrillic.")
    var text = MessageText.ascii
    @Option(help: "The folder with the programs of other languages.")
    var peers = "Benchmarks/Peers"
    @Option(help: "The options of the compilers for these programs, separated by commas.")
    var compilerOptions = "-O2"
    @Option(help: "The Python program. Its package websockets is measured if it is installed.")
    var python = "python3"
    @Flag(help: "Print the names of the scenarios and exit.")
    var list = false

    func validate() throws {
        guard rounds > 0, duration > 0, idle >= 0 else {
            throw ValidationError("--rounds and --duration must be greater than 0, and --idle must not be negative.")
        }
        for name in contestants?.split(separator: ",") ?? [] where Contestant(rawValue: String(name)) == nil {
            throw ValidationError("\"\(name)\" is not a contestant. See --help for the names.")
        }
        if scenarios.isEmpty, only != ["idle"] {
            throw ValidationError("No scenario's name contains this text. See --list for the names.")
        }
    }

    func run() async throws {
        if list {
            for scenario in scenarios { print(scenario.name) }
            return
        }
        OpenFiles.raiseLimit()
        let site = try Site()
        let sources = Peers.Sources(
            folder: peers, python: python, compilerOptions: compilerOptions.split(separator: ",").map(String.init))
        let peers = try Peers(kinds, sources, site: site, skip: StandardError.say)
        defer { peers.tidyUp() }
        var report = Report(
            rounds: rounds, secondsPerSlice: duration, processors: ProcessInfo.processInfo.activeProcessorCount,
            text: text)
        if !scenarios.isEmpty {
            let servers = try await ComparedServers(kinds, site, peers: peers)
            let clients = try await ComparedClients(kinds, site, peers: peers)
            for scenario in scenarios {
                report.comparisons.append(try await compare(scenario, servers, clients))
            }
            try await servers.stop()
            try await clients.stop()
        }
        if idle > 0, only.isEmpty || only == ["idle"] { report.idle = try await measureIdle(site, peers) }
        try format.show(report, markdown: report.markdown)
    }

    private var scenarios: [Scenario] {
        Scenario.standard.filter { scenario in only.isEmpty || only.contains { scenario.name.contains($0) } }
    }

    private var kinds: [Contestant] {
        guard let contestants else { return Contestant.allCases }
        return contestants.split(separator: ",").compactMap { Contestant(rawValue: String($0)) }
    }

    private func compare(
        _ scenario: Scenario, _ servers: ComparedServers, _ clients: ComparedClients
    ) async throws -> Comparison {
        StandardError.say(scenario.name)
        let text = text.text(scenario.size.count)
        var measurements: [(contestant: Contestant, measurement: any Measurement)] = []
        for contestant in kinds where contestant.canRun(scenario) {
            let measurement: (any Measurement)? =
                switch scenario.role {
                case .server: try await servers.measurement(contestant, scenario, text: text)
                case .client: try await clients.measurement(contestant, scenario, text: text)
                }
            if let measurement { measurements.append((contestant, measurement)) }
        }
        // The first use opens connections and makes one-time allocations. It is not measured.
        for (_, measurement) in measurements { _ = try await measurement.measure(for: .seconds(min(duration, 0.1))) }
        var slices = measurements.map { _ in [Slice]() }
        for round in 0..<rounds {
            // The order is reversed in every second round.
            let order = round.isMultiple(of: 2) ? Array(measurements.indices) : measurements.indices.reversed()
            for index in order {
                slices[index].append(try await measurements[index].measurement.measure(for: .seconds(duration)))
            }
        }
        for (_, measurement) in measurements { try await measurement.close() }
        return Comparison(scenario, Array(zip(measurements.map(\.contestant), slices)))
    }

    private func measureIdle(_ site: Site, _ peers: Peers) async throws -> [IdleFigure] {
        let measurement = IdleMeasurement(site, peers: peers)
        var figures: [IdleFigure] = []
        for role in Scenario.Role.allCases {
            for isSecure in [false, true] {
                let count = isSecure ? idle / 10 : idle
                for contestant in IdleContestant.allCases
                where count > 0 && contestant.contestant.map(kinds.contains) ?? true {
                    StandardError.say("idle-\(role.rawValue)-\(isSecure ? "tls" : "plain")-\(contestant.rawValue)")
                    if let figure = try await measurement.measure(
                        contestant, role, isSecure: isSecure, connections: count)
                    {
                        figures.append(figure)
                    }
                }
            }
        }
        return figures
    }
}
