/// Runs seeds.
package enum Simulation {
    /// The distance between seeds that also run through the JSON codec.
    package static let codecEvery: UInt64 = 10
    /// The distance between seeds that the tests also run over the real store.
    package static let storeEvery: UInt64 = 20

    /// Runs a seed with its own plan, or with a reduced plan.
    package static func run(
        _ seed: UInt64, plan: Plan? = nil, options: SimulationOptions = .init(), shelf: (any StoreShelf)? = nil,
        hosts: (any DriverHostMaker)? = nil
    ) -> SimulationOutcome {
        let world = World(seed: seed, plan: plan, options: options, shelf: shelf ?? MemoryShelf(), hosts: hosts)
        world.run()
        return world.outcome(of: seed)
    }

    /// Runs a seed as requested. Every tenth seed runs again through the codec, and both runs must have the same trace.
    package static func check(
        _ seed: UInt64, plan: Plan? = nil, options: SimulationOptions = .init()
    ) -> SimulationOutcome {
        var outcome = run(seed, plan: plan, options: options)
        guard outcome.isGood, usesCodec(seed) else { return outcome }
        var options = options
        options.usesCodec = true
        let other = run(seed, plan: plan, options: options)
        outcome.complaints = other.complaints
        if other.isGood, other.trace != outcome.trace {
            outcome.complaints = [
                Complaint(
                    rule: .codec, time: 0, text: "the codec changes the trace from \(outcome.trace) to \(other.trace)")
            ]
        }
        return outcome
    }

    /// Returns whether a seed finds a planted bug: a rule of the bug breaks, and without the bug no rule breaks.
    package static func finds(_ bug: PlantedBug, _ seed: UInt64, plan: Plan? = nil) -> Bool {
        var options = SimulationOptions()
        options.plantedBug = bug
        guard let rule = run(seed, plan: plan, options: options).complaints.first?.rule, bug.rules.contains(rule) else {
            return false
        }
        return run(seed, plan: plan).isGood
    }

    /// Whether a seed also runs through the codec.
    package static func usesCodec(_ seed: UInt64) -> Bool { seed % codecEvery == 0 }
}

/// Options of a run.
package struct SimulationOptions: Hashable, Sendable {
    /// Whether every frame and answer is encoded to JSON and decoded again.
    package var usesCodec = false
    /// The planted bug, if there is one.
    package var plantedBug: PlantedBug?
    /// The number of trace lines to keep. With 0, no lines are formatted.
    package var traceLines = 0
    /// Whether all events and effects of the cores are kept for comparison.
    package var keepsTurns = false

    package init() {}
}

/// The outcome of a run.
package struct SimulationOutcome: Hashable, Sendable {
    package var seed: UInt64
    /// The broken rule, or an empty list. A run ends at the first complaint.
    package var complaints: [Complaint]
    package var trace: TraceDigest
    package var figures: SimulationFigures
    /// The last lines of the trace, if requested.
    package var lines: [String]
    /// All turns of the clients, if requested.
    package var turns: [ClientTurn]

    package var isGood: Bool { complaints.isEmpty }
}

/// Statistics of one or more runs. They show that enough happened to test the rules.
package struct SimulationFigures: Hashable, Sendable {
    package var seeds = 0
    /// The number of events that the cores handled.
    package var events = 0
    /// The number of faults of each kind, in the order of `Fault.Kind`.
    package private(set) var faults = [Int](repeating: 0, count: Fault.Kind.allCases.count)
    /// The numbers of messages that `send` acknowledged, that reached the server, and that failed.
    package var sent = 0
    package var arrived = 0
    package var failed = 0
    /// The number of messages of operators.
    package var received = 0
    package var sockets = 0
    package var restarts = 0
    var serverCalls: UInt64 = 0

    package init() {}

    mutating func count(_ kind: Fault.Kind) {
        if let index = Fault.Kind.allCases.firstIndex(of: kind) { faults[index] += 1 }
    }

    package func count(of kind: Fault.Kind) -> Int {
        Fault.Kind.allCases.firstIndex(of: kind).map { faults[$0] } ?? 0
    }

    package static func += (left: inout SimulationFigures, right: SimulationFigures) {
        left.seeds += right.seeds
        left.events += right.events
        for index in left.faults.indices { left.faults[index] += right.faults[index] }
        left.sent += right.sent
        left.arrived += right.arrived
        left.failed += right.failed
        left.received += right.received
        left.sockets += right.sockets
        left.restarts += right.restarts
    }
}
