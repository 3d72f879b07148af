import ChatDriverSimulation
import ChatSimulation
import Testing

/// Runs worlds full of faults with the shipping driver in every device. `holdfast simulate --driver` runs more seeds.
@Suite struct DriverSeedTests {
    /// Without faults, every message arrives.
    @Test func aQuietWorld() {
        let plan = Plan(items: [
            PlannedItem(number: 0, time: 2000, happening: .send(client: 0, files: 0)),
            PlannedItem(number: 1, time: 3000, happening: .send(client: 0, files: 1)),
            PlannedItem(number: 2, time: 6000, happening: .operatorSays(user: 0)),
        ])
        var options = SimulationOptions()
        options.traceLines = 60
        let outcome = DriverSimulation.run(1, plan: plan, options: options)
        #expect(outcome.isGood, "\(outcome.complaints) \(outcome.lines.joined(separator: "\n"))")
        // Each of the three devices sends a text and rates a survey in the quiet time.
        #expect(outcome.figures.sent == 2 + 3)
        #expect(outcome.figures.arrived == 2 + 3 + 3)
        #expect(outcome.figures.failed == 0)
    }

    @Test(arguments: [0..<75, 75..<150, 150..<225, 225..<300] as [Range<UInt64>])
    func everyRuleHolds(seeds: Range<UInt64>) async {
        var figures = SimulationFigures()
        for seed in seeds {
            // Yields, because tests over sockets share the few threads.
            await Task.yield()
            let outcome = DriverSimulation.run(seed)
            figures += outcome.figures
            guard !outcome.isGood else { continue }
            Issue.record("seed \(seed): \(outcome.complaints)")
            return
        }
        // Enough happened in the runs to test the rules.
        #expect(figures.sent > 200, "\(figures)")
        #expect(figures.arrived > 150, "\(figures)")
        #expect(figures.restarts > 50, "\(figures)")
        #expect(figures.count(of: .clientDiskFull) > 5, "\(figures)")
    }
}
