import ArgumentParser
import ChatSimulation

/// `holdfast simulate chat`, or `holdfast simulate`: runs the chat's client and server in seeded worlds with injected
/// faults. docs/internals/simulation.md describes the faults and the rules.
struct SimulateChatCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Run the chat's client and server against each other in seeded worlds full of faults.",
        discussion: """
            Every seed is a world: devices, a server, networks, clocks and disks, and a plan of what goes wrong in it. The \
            exit code is 0 when every rule held in every world, 1 when one did not; it is then shrunk, and the line that \
            replays it is printed. With --planted a mistake is made on purpose: 0 when it was found, 1 when it was not. \
            docs/internals/simulation.md describes the worlds and the rules.
            """,
        examples: [
            "holdfast simulate chat --seeds 100",
            "holdfast simulate chat --seed 17 --trace",
        ]
    )

    private static let standardSeeds: UInt64 = 2000
    private static let standardDriverSeeds: UInt64 = 300

    private var wantedSeeds: UInt64 { driver ? Self.standardDriverSeeds : Self.standardSeeds }

    @Option(help: ArgumentHelp("The number of seeds (default: \(standardSeeds)).", valueName: "number"))
    var seeds: UInt64?

    @Option(help: ArgumentHelp("The first seed (default: 0).", valueName: "seed"))
    var from: UInt64?

    @Option(help: ArgumentHelp("Run only this seed.", valueName: "seed"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "With --seed: only these entries of its plan, comma-separated; or none.", valueName: "numbers"))
    var faults: PlanNumbers?

    @Flag(help: "With --seed: print the plan and every event.")
    var trace = false

    @Flag(inversion: .prefixedNo, help: "Remove entries from a failing plan that the failure does not need.")
    var shrink = true

    @Flag(help: "Run the SDK's driver and store in every device (default: 300 seeds).")
    var driver = false

    @Option(help: ArgumentHelp("Make this mistake on purpose; see docs/internals/simulation.md.", valueName: "bug"))
    var planted: String?

    @Option(help: ArgumentHelp("The number of concurrent worlds (default: the number of cores).", valueName: "number"))
    var jobs: Int?

    @Flag(help: "Print one JSON object.")
    var json = false

    var isLongRunning: Bool { true }

    func validate() throws {
        if seed == nil, trace || faults != nil { throw ValidationError("--trace and --faults need --seed") }
        if seed != nil, seeds != nil || from != nil {
            throw ValidationError("--seed cannot be combined with --seeds or --from")
        }
        if let seed, let faults {
            // An unknown entry would silently omit the intended one, and a world without faults breaks no rule.
            let known = Plan(seed: seed).items.map(\.number)
            if let number = faults.numbers.first(where: { !known.contains($0) }) {
                throw ValidationError("the plan of seed \(seed) has no entry \(number)")
            }
        }
        if SimulatedWorlds(drivers: driver, planted: planted) == nil {
            let known = SimulatedWorlds.bugs(drivers: driver).joined(separator: ", ")
            throw ValidationError("--planted must be one of: \(known)")
        }
        if seeds == 0 { throw ValidationError("--seeds must be at least 1") }
        if (from ?? 0).addingReportingOverflow(seeds ?? wantedSeeds).overflow {
            throw ValidationError("--from and --seeds exceed the largest seed")
        }
        if seed == .max { throw ValidationError("--seed must be below 18446744073709551615") }
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
    }

    func run(on console: Console) async throws {
        let plan = seed.flatMap { seed in faults.map { Plan(seed: seed).keeping($0.numbers) } }
        let from = seed ?? self.from ?? 0
        let count = seed == nil ? seeds ?? wantedSeeds : 1
        guard let worlds = SimulatedWorlds(drivers: driver, planted: planted) else {
            throw ValidationError("--planted names an unknown bug")
        }
        let batch = SimulationBatch(
            seeds: from..<(from + count), plan: plan, worlds: worlds,
            jobs: jobs ?? SimulationBatch.cores)
        console.note(batch.announcement)
        let start = ContinuousClock.now
        let result = await batch.run()
        let report = SimulationReport(
            batch: batch, result: result, duration: start.duration(to: ContinuousClock.now), shrinks: shrink)
        if let seed, trace {
            for line in batch.trace(of: seed) { try console.print(line) }
        }
        try console.print(json ? report.json : report.text)
        guard report.isGood else { throw ToolError("", status: .failure) }
    }
}

/// The numbers of a plan's entries, separated by commas; `none` is a plan without entries.
struct PlanNumbers: ExpressibleByArgument, Hashable, Sendable {
    let numbers: [Int]

    private static let none = "none"

    init(_ numbers: [Int]) {
        self.numbers = numbers
    }

    init?(argument: String) {
        let parts = argument == Self.none ? [] : argument.split(separator: ",", omittingEmptySubsequences: false)
        numbers = parts.compactMap { Int($0) }.filter { $0 >= 0 }
        guard numbers.count == parts.count else { return nil }
    }

    /// The text for a command line.
    var text: String { numbers.isEmpty ? Self.none : numbers.map { String($0) }.joined(separator: ",") }
}
