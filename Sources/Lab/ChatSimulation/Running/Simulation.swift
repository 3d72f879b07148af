/// Runs seeds.
package enum Simulation {
    /// Every so many seeds one goes through the JSON codec.
    package static let codecEvery: UInt64 = 10
    /// Every so many seeds one goes through the real store; whoever has one does that.
    package static let storeEvery: UInt64 = 20

    /// One run of a seed with its own plan, or with what is left of it.
    package static func run(
        _ seed: UInt64, plan: Plan? = nil, options: SimulationOptions = .init(), shelf: (any StoreShelf)? = nil,
        hosts: (any DriverHostMaker)? = nil
    ) -> SimulationOutcome {
        let world = World(seed: seed, plan: plan, options: options, shelf: shelf ?? MemoryShelf(), hosts: hosts)
        world.run()
        return world.outcome(of: seed)
    }

    /// One run as it is asked for, and a second one through the codec where it is the seed's turn: both have to leave
    /// the same trace.
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

    /// Whether a seed finds a mistake that was made on purpose: one of the mistake's own rules breaks, and without the
    /// mistake no rule does.
    package static func finds(_ bug: PlantedBug, _ seed: UInt64, plan: Plan? = nil) -> Bool {
        var options = SimulationOptions()
        options.plantedBug = bug
        guard let rule = run(seed, plan: plan, options: options).complaints.first?.rule, bug.rules.contains(rule) else {
            return false
        }
        return run(seed, plan: plan).isGood
    }

    /// Whether a seed's run is to go through the codec by itself.
    package static func usesCodec(_ seed: UInt64) -> Bool { seed % codecEvery == 0 }
}

/// How a world is run.
package struct SimulationOptions: Hashable, Sendable {
    /// Every frame and answer goes through the JSON codec.
    package var usesCodec = false
    /// A mistake that is made on purpose.
    package var plantedBug: PlantedBug?
    /// How many of the last lines of the trace are kept; 0 keeps none and costs nothing.
    package var traceLines = 0
    /// Everything that the cores were given and gave back is kept, to be compared.
    package var keepsTurns = false

    package init() {}
}

/// What came of a run.
package struct SimulationOutcome: Hashable, Sendable {
    package var seed: UInt64
    /// Empty when every rule held; a run ends with the first one that did not.
    package var complaints: [Complaint]
    package var trace: TraceDigest
    package var figures: SimulationFigures
    /// The last lines of the trace, if they were asked for.
    package var lines: [String]
    /// Every turn of a client, if they were asked for.
    package var turns: [ClientTurn]

    package var isGood: Bool { complaints.isEmpty }
}

/// How much happened in a run, or in several: a run in which nothing goes wrong proves nothing.
package struct SimulationFigures: Hashable, Sendable {
    package var seeds = 0
    /// Events that the cores handled.
    package var events = 0
    /// How often each kind of fault struck, in the order of `Fault.Kind`.
    package private(set) var faults = [Int](repeating: 0, count: Fault.Kind.allCases.count)
    /// Messages that `send` acknowledged, that reached the server, and that failed.
    package var sent = 0
    package var arrived = 0
    package var failed = 0
    /// Messages of operators.
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
