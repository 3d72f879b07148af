import ChatDriverSimulation
import ChatSimulation
import Testing

/// The same seed gives the same run with the driver, in one process and in two.
@Suite struct DriverDeterminismTests {
    static let seeds: [UInt64] = Array(100..<110)

    @Test func twiceInAProcess() {
        for seed in Self.seeds {
            let first = DriverSimulation.run(seed)
            let second = DriverSimulation.run(seed)
            #expect(first.trace == second.trace, "seed \(seed)")
            #expect(first.figures == second.figures, "seed \(seed)")
            #expect(first.figures.events > 50)
        }
    }

    /// The order of dictionaries and sets differs between processes.
    @Test func inTwoProcesses() async throws {
        let expected = Self.seeds.map { "\($0) \(DriverSimulation.run($0).trace)" }
        let other = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            for seed in DriverDeterminismTests.seeds { print("trace \(seed) \(DriverSimulation.run(seed).trace)") }
        }
        let lines = String(decoding: other.standardOutputContent, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("trace ") }.map { String($0.dropFirst(6)) }
        #expect(lines == expected)
    }
}
