import ChatDriverSimulation
import ChatSimulation
import Testing

/// Worlds in which everything goes wrong, with the shipping driver in every device. `holdfast simulate --driver` has as
/// many more as anybody wants.
@Suite struct DriverSeedTests {
    /// One device at a time authorizes, sends and receives: without a fault, everything arrives.
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
            // Tests over sockets run at the same time, on as few threads as there are cores.
            await Task.yield()
            let outcome = DriverSimulation.run(seed)
            figures += outcome.figures
            guard !outcome.isGood else { continue }
            Issue.record("seed \(seed): \(outcome.complaints)")
            return
        }
        // The lives were eventful enough to prove something.
        #expect(figures.sent > 200, "\(figures)")
        #expect(figures.arrived > 150, "\(figures)")
        #expect(figures.restarts > 50, "\(figures)")
        #expect(figures.count(of: .clientDiskFull) > 5, "\(figures)")
    }
}
