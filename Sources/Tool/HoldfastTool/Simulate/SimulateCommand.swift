import ArgumentParser
import ChatSimulation

/// `holdfast simulate`: lives through seeded lives of the chat, in which everything goes wrong. docs/simulation.md tells
/// what is simulated and what must hold.
struct SimulateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Runs the chat's client and server against each other in seeded worlds full of faults.",
        discussion: """
            Every seed is a world: devices, a server, networks, clocks and disks, and a plan of what goes wrong in it. The \
            exit code is 0 when every rule held in every world, 1 when one did not; it is then shrunk, and the line that \
            replays it is printed. With --planted a mistake is made on purpose: 0 when it was found, 1 when it was not. \
            docs/simulation.md tells it all.
            """
    )

    private static let standardSeeds: UInt64 = 2000
    private static let standardDriverSeeds: UInt64 = 300

    private var wantedSeeds: UInt64 { driver ? Self.standardDriverSeeds : Self.standardSeeds }

    @Option(help: ArgumentHelp("How many seeds; \(standardSeeds) if it is not given.", valueName: "number"))
    var seeds: UInt64?

    @Option(help: ArgumentHelp("The first of them; 0 if it is not given.", valueName: "seed"))
    var from: UInt64?

    @Option(help: ArgumentHelp("This seed alone.", valueName: "seed"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp("With --seed: these entries of its plan alone, with commas; or none.", valueName: "numbers"))
    var faults: PlanNumbers?

    @Flag(help: "With --seed: print the plan and everything that happens.")
    var trace = false

    @Flag(inversion: .prefixedNo, help: "Take out of a failing plan what the failure does not need.")
    var shrink = true

    @Flag(help: "Run the driver that the SDK ships, over its store, in every device. Standard: 300 seeds.")
    var driver = false

    @Option(help: ArgumentHelp("Make this mistake on purpose; see docs/simulation.md.", valueName: "bug"))
    var planted: String?

    @Option(help: ArgumentHelp("Worlds at a time; as many as there are cores if it is not given.", valueName: "number"))
    var jobs: Int?

    @Flag(help: "Print one JSON object.")
    var json = false

    var isLongRunning: Bool { true }

    func validate() throws {
        if seed == nil, trace || faults != nil { throw ValidationError("--trace and --faults need --seed") }
        if seed != nil, seeds != nil || from != nil {
            throw ValidationError("--seed is one seed alone, without --seeds and --from")
        }
        if let seed, let faults {
            // An entry that is not there would leave out what is meant, and a world without faults breaks no rule.
            let known = Plan(seed: seed).items.map(\.number)
            if let number = faults.numbers.first(where: { !known.contains($0) }) {
                throw ValidationError("the plan of seed \(seed) has no entry \(number)")
            }
        }
        if SimulatedWorlds(drivers: driver, planted: planted) == nil {
            let known = SimulatedWorlds.bugs(drivers: driver).joined(separator: ", ")
            throw ValidationError("--planted is one of: \(known)")
        }
        if seeds == 0 { throw ValidationError("--seeds is at least 1") }
        if (from ?? 0).addingReportingOverflow(seeds ?? wantedSeeds).overflow {
            throw ValidationError("there are no such seeds")
        }
        if seed == .max { throw ValidationError("there is no such seed") }
        if let jobs, jobs < 1 { throw ValidationError("--jobs is at least 1") }
    }

    func run(on console: Console) async throws {
        let plan = seed.flatMap { seed in faults.map { Plan(seed: seed).keeping($0.numbers) } }
        let from = seed ?? self.from ?? 0
        let count = seed == nil ? seeds ?? wantedSeeds : 1
        guard let worlds = SimulatedWorlds(drivers: driver, planted: planted) else {
            throw ValidationError("there is no such mistake")
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

/// Numbers of entries of a plan, with commas between them; `none` is a plan without entries.
struct PlanNumbers: ExpressibleByArgument, Hashable, Sendable {
    let numbers: [Int]

    private static let none = "none"

    init(_ numbers: [Int]) {
        self.numbers = numbers
    }

    init?(argument: String) {
        guard argument != Self.none else {
            self.init([])
            return
        }
        var numbers: [Int] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = Int(part), number >= 0 else { return nil }
            numbers.append(number)
        }
        self.init(numbers)
    }

    /// As it is written on a command line.
    var text: String { numbers.isEmpty ? Self.none : numbers.map { String($0) }.joined(separator: ",") }
}
