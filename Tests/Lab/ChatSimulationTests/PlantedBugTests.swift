import ChatSimulation
import Testing

/// Tests the simulation: every planted bug is found by one of its rules, in a seed that breaks no rule without the bug.
@Suite struct PlantedBugTests {
    static let mostSeeds: UInt64 = 2000

    @Test(arguments: PlantedBug.allCases)
    func isFound(_ bug: PlantedBug) async {
        for seed in 0..<Self.mostSeeds {
            await Task.yield()
            if Simulation.finds(bug, seed) { return }
        }
        Issue.record("\(bug.summary): not found in \(Self.mostSeeds) seeds")
    }

    /// A complaint of another rule does not count, and neither does a seed that breaks a rule without the bug.
    @Test func anotherRuleFindsNothing() {
        var options = SimulationOptions()
        options.plantedBug = .failureNotTold
        let other = (0..<Self.mostSeeds).first { Simulation.run($0, options: options).complaints.isEmpty }
        #expect(other.map { Simulation.finds(.failureNotTold, $0) } == false)
        for bug in PlantedBug.allCases {
            #expect(!bug.rules.isEmpty)
            #expect(!bug.rules.contains(.rest) && !bug.rules.contains(.codec))
        }
    }

    @Test func thereAreMoreThanTen() {
        #expect(PlantedBug.allCases.count > 10)
        #expect(Set(PlantedBug.allCases.map(\.summary)).count == PlantedBug.allCases.count)
    }
}
