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
        var world = World(seed: seed, plan: plan, options: options, shelf: shelf ?? MemoryShelf())
        world.run()
        return SimulationOutcome(
            seed: seed, complaints: world.complaints, trace: world.trace, figures: world.figures, lines: world.lines,
            turns: world.turns)
    }

    /// Whether a seed's run is to go through the codec by itself.
    package static func usesCodec(_ seed: UInt64) -> Bool { seed % codecEvery == 0 }
}
