import ArgumentParser
import FleetSimulation
import HoldfastTrust

/// `holdfast simulate fleet`: runs millions of clients through an incident in virtual time. docs/fleet.md describes the
/// scenarios.
struct SimulateFleetCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Run a fleet of clients through a wrong rotation, a bad bundle or an outage.",
        discussion: """
            The clients, their servers, a CDN, a collector and an operator run in virtual time, for 16 hours. The clients \
            use the decisions that the library ships. The same seed gives the same result. The exit code is 0 when every \
            invariant held, and 1 otherwise; with --planted it is 0 when the mistake broke its invariant. docs/fleet.md \
            describes the scenarios. Ten million clients need about 3 GB of memory.
            """,
        examples: [
            "holdfast simulate fleet --scenario misrotation --clients 100000 --plots plots",
            "holdfast simulate fleet --clients 10000 --json",
        ]
    )

    private static let scenarios = FleetScenario.allCases.map(\.rawValue) + ["all"]
    private static let faults = FleetFault.allCases.map(\.rawValue)

    @Option(
        help: ArgumentHelp(
            "One of: \(Self.scenarios.joined(separator: ", ")) (default: all).", valueName: "scenario"))
    var scenario: String?

    @Option(help: ArgumentHelp("The number of clients.", valueName: "number"))
    var clients = 100_000

    @Option(help: ArgumentHelp("The seed of all random numbers.", valueName: "seed"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Make a mistake on purpose, one of: \(Self.faults.joined(separator: ", ")).", valueName: "mistake"))
    var planted: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(
        help: ArgumentHelp("Write SVG charts to this new folder.", valueName: "folder"), completion: .directory)
    var plots: String?

    var isLongRunning: Bool { true }

    func validate() throws {
        if let scenario {
            try check(
                Self.scenarios.contains(scenario),
                "--scenario must be one of: \(Self.scenarios.joined(separator: ", "))")
        }
        if let planted {
            try check(
                Self.faults.contains(planted), "--planted must be one of: \(Self.faults.joined(separator: ", "))")
        }
        try check(
            planted == nil || scenario == nil, "--planted has its own scenario and cannot be combined with --scenario")
        let range = FleetSetup.clientRange
        try check(range.contains(clients), "--clients must be from \(range.lowerBound) to \(range.upperBound)")
    }

    func run(on console: Console) async throws {
        var runs: [FleetReport.Run] = []
        for setup in setups {
            console.note("simulating \(setup.clients) clients: \(setup.scenario.rawValue)")
            let start = ContinuousClock.now
            let outcome = try FleetSimulation.run(setup)
            runs.append(FleetReport.Run(outcome: outcome, duration: start.duration(to: ContinuousClock.now)))
        }
        let report = FleetReport(runs: runs)
        if let plots { try report.writePlots(to: plots) }
        try console.print(json ? report.json : report.text)
        guard report.isGood else { throw ToolError("", status: .failure) }
    }

    private var setups: [FleetSetup] {
        if let fault = planted.flatMap({ FleetFault(rawValue: $0) }) {
            return [FleetSetup(fault.scenario, clients: clients, seed: seed, fault: fault)]
        }
        let wanted = scenario.flatMap { FleetScenario(rawValue: $0) }.map { [$0] } ?? FleetScenario.allCases
        return wanted.map { FleetSetup($0, clients: clients, seed: seed) }
    }
}
