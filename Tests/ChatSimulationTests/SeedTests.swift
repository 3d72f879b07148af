import ChatSimulation
import Testing

@Suite struct SeedTests {
    @Test func thousandsOfSeedsKeepTheRules() {
        var figures = SimulationFigures()
        for seed in 0..<100 as Range<UInt64> {
            var options = SimulationOptions()
            options.usesCodec = Simulation.usesCodec(seed)
            let outcome = Simulation.run(seed, options: options)
            figures += outcome.figures
            for complaint in outcome.complaints {
                Issue.record("seed \(seed): \(complaint.rule.rawValue) at \(complaint.time): \(complaint.text)")
            }
        }
        print(figures)
    }
}
