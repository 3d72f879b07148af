/// Runs seeds.
package enum Simulation {
    /// Every so many seeds one goes through the JSON codec.
    package static let codecEvery: UInt64 = 10
    /// Every so many seeds one goes through the real store; whoever has one does that.
    package static let storeEvery: UInt64 = 20

    /// One run of a seed with its own plan, or with what is left of it.
    package static func run(
        _ seed: UInt64, plan: Plan? = nil, options: SimulationOptions = .init(), shelf: (any StoreShelf)? = nil
    ) -> SimulationOutcome {
        let world = World(seed: seed, plan: plan, options: options, shelf: shelf ?? MemoryShelf())
        world.run()
        return SimulationOutcome(
            seed: seed, complaints: world.complaints, trace: world.trace, figures: world.figures, lines: world.lines,
            turns: world.turns)
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
