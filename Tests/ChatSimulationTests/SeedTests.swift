import ChatSimulation
import Testing

/// Two thousand lives in which everything goes wrong. `holdfast simulate` has as many more as anybody wants.
@Suite struct SeedTests {
    static let parts: [Range<UInt64>] = [0..<500, 500..<1000, 1000..<1500, 1500..<2000]

    /// Every tenth seed goes through the JSON codec as well, and leaves the same trace.
    @Test(arguments: parts)
    func everyRuleHolds(seeds: Range<UInt64>) async {
        var figures = SimulationFigures()
        for seed in seeds {
            // Tests over sockets run at the same time, on as few threads as there are cores.
            await Task.yield()
            let outcome = Simulation.check(seed)
            figures += outcome.figures
            guard !outcome.isGood else { continue }
            Issue.record("\(outcome.story())")
            return
        }
        // The lives were eventful enough to prove something.
        for kind in Fault.Kind.allCases { #expect(figures.count(of: kind) > 20, "\(kind)") }
        #expect(figures.sent > 2000, "\(figures)")
        #expect(figures.arrived > 1500, "\(figures)")
        #expect(figures.failed > 100, "\(figures)")
        #expect(figures.received > 3000, "\(figures)")
        #expect(figures.restarts > 500, "\(figures)")
        #expect(figures.sockets > 4000, "\(figures)")
    }
}
