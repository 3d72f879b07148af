import FleetSimulation
import Testing

/// The same setup gives the same run, twice in a process and in two processes.
@Suite struct FleetDeterminismTests {
    static let setups = [FleetScenario.misrotation, .badBundleCohorts, .restart].map {
        FleetSetup($0, clients: 2_000, seed: 7)
    }

    private static func digests() throws -> [String] {
        try setups.map { setup in
            let outcome = try FleetSimulation.run(setup)
            return "\(setup.scenario.rawValue) \(outcome.record.digest) \(outcome.figures.accepted)"
        }
    }

    @Test func twiceInAProcess() throws {
        let first = try FleetSimulation.run(Self.setups[0])
        let second = try FleetSimulation.run(Self.setups[0])
        #expect(first.record == second.record)
        #expect(first.figures == second.figures)
        let other = try FleetSimulation.run(FleetSetup(.misrotation, clients: 2_000, seed: 8))
        #expect(first.record.digest != other.record.digest)
    }

    /// The order of dictionaries and sets differs between processes, and so do the keys that sign bundles.
    @Test func inTwoProcesses() async throws {
        let other = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            for line in try FleetDeterminismTests.digests() { print("fleet \(line)") }
        }
        let lines = String(decoding: other.standardOutputContent, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("fleet ") }.map { String($0.dropFirst(6)) }
        #expect(lines == (try Self.digests()))
    }
}
