import ChatSimulation
import Testing

/// The test of the simulation: a mistake at a seam is found. Without one the same seeds are good (`SeedTests`).
@Suite struct PlantedBugTests {
    static let mostSeeds: UInt64 = 2000

    @Test(arguments: PlantedBug.allCases)
    func isFound(_ bug: PlantedBug) async {
        var options = SimulationOptions()
        options.plantedBug = bug
        for seed in 0..<Self.mostSeeds {
            await Task.yield()
            if !Simulation.run(seed, options: options).isGood { return }
        }
        Issue.record("\(bug.summary): not found in \(Self.mostSeeds) seeds")
    }

    @Test func thereAreMoreThanTen() {
        #expect(PlantedBug.allCases.count > 10)
        #expect(Set(PlantedBug.allCases.map(\.summary)).count == PlantedBug.allCases.count)
    }
}
