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

    @Option(help: ArgumentHelp("How many seeds.", valueName: "number"))
    var seeds: UInt64 = 2000

    @Option(help: ArgumentHelp("The first of them.", valueName: "seed"))
    var from: UInt64 = 0

    @Option(help: ArgumentHelp("This seed alone.", valueName: "seed"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("With --seed: these entries of its plan alone, with commas.", valueName: "numbers"))
    var faults: PlanNumbers?

    @Flag(help: "With --seed: print the plan and everything that happens.")
    var trace = false

    @Flag(inversion: .prefixedNo, help: "Take out of a failing plan what the failure does not need.")
    var shrink = true

    @Option(help: ArgumentHelp("Make this mistake on purpose; see docs/simulation.md.", valueName: "bug"))
    var planted: PlantedBug?

    @Option(help: ArgumentHelp("Worlds at a time; as many as there are cores if it is not given.", valueName: "number"))
    var jobs: Int?

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if seed == nil, trace || faults != nil { throw ValidationError("--trace and --faults need --seed") }
        if seeds == 0 { throw ValidationError("--seeds is at least 1") }
        if from.addingReportingOverflow(seeds).overflow { throw ValidationError("there are no such seeds") }
        if let jobs, jobs < 1 { throw ValidationError("--jobs is at least 1") }
    }

    func run(on console: Console) async throws {
        let plan = seed.flatMap { seed in faults.map { Plan(seed: seed).keeping($0.numbers) } }
        let batch = SimulationBatch(
            seeds: seed.map { $0..<($0 &+ 1) } ?? from..<(from + seeds), plan: plan, plantedBug: planted,
            jobs: jobs ?? SimulationBatch.cores)
        let start = ContinuousClock.now
        let result = await batch.run()
        var report = SimulationReport(
            batch: batch, result: result, duration: start.duration(to: ContinuousClock.now), shrinks: shrink)
        report.describeFailures()
        if let seed, trace {
            for line in batch.trace(of: seed) { try console.print(line) }
        }
        try console.print(json ? report.json : report.text)
        guard report.isGood else { throw ToolError("", status: .failure) }
    }
}
