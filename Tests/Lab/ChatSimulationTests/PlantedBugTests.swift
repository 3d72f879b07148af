import ChatSimulation
import Testing

/// The test of the simulation: a mistake at a seam is found, by a rule that it breaks, in a seed that is good without
/// it.
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

    /// What another rule says is no proof, nor is a seed that fails by itself.
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
