import ChatSimulation
import Testing

/// The test of the simulation: a mistake at a seam is found. Without one the same seeds are good (`SeedTests`).
@Suite struct PlantedBugTests {
    static let mostSeeds: UInt64 = 2000

    @Test(arguments: PlantedBug.allCases)
    func isFound(_ bug: PlantedBug) {
        var options = SimulationOptions()
        options.plantedBug = bug
        let found = (0..<Self.mostSeeds).first { !Simulation.run($0, options: options).isGood }
        #expect(found != nil, "\(bug.summary): not found in \(Self.mostSeeds) seeds")
    }

    @Test func thereAreMoreThanTen() {
        #expect(PlantedBug.allCases.count > 10)
        #expect(Set(PlantedBug.allCases.map(\.summary)).count == PlantedBug.allCases.count)
    }
}
