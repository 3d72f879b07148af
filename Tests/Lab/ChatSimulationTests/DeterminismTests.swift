import ChatSimulation
import Testing

/// The same seed gives the same run: twice in a process, in another process, through the codec, over the SQLite store,
/// and with tracing.
@Suite struct DeterminismTests {
    static let seeds: [UInt64] = Array(100..<110)

    @Test func twiceInAProcess() {
        var options = SimulationOptions()
        options.keepsTurns = true
        for seed in Self.seeds {
            let first = Simulation.run(seed, options: options)
            let second = Simulation.run(seed, options: options)
            #expect(first.trace == second.trace)
            #expect(first.turns == second.turns)
            #expect(first.figures == second.figures)
            #expect(first.turns.count > 50)
        }
    }

    /// The order of dictionaries and sets differs between processes.
    @Test func inTwoProcesses() async throws {
        let expected = Self.seeds.map { "\($0) \(Simulation.run($0).trace)" }
        let other = try await #require(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            for seed in DeterminismTests.seeds { print("trace \(seed) \(Simulation.run(seed).trace)") }
        }
        let lines = String(decoding: other.standardOutputContent, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("trace ") }.map { String($0.dropFirst(6)) }
        #expect(lines == expected)
    }

    @Test func seedsDiffer() {
        let traces = (0..<100 as Range<UInt64>).map { Simulation.run($0).trace }
        #expect(Set(traces).count == 100)
    }

    @Test func throughTheCodec() {
        var options = SimulationOptions()
        options.usesCodec = true
        for seed in Self.seeds {
            let typed = Simulation.run(seed)
            let read = Simulation.run(seed, options: options)
            #expect(read.complaints.isEmpty)
            #expect(read.trace == typed.trace)
        }
    }

    @Test func overTheRealStore() async throws {
        for seed in stride(from: 0 as UInt64, to: 2000, by: Int(Simulation.storeEvery)) {
            await Task.yield()
            let inMemory = Simulation.run(seed)
            let onDisk = Simulation.run(seed, shelf: try SQLiteShelf())
            #expect(onDisk.complaints.isEmpty, "seed \(seed): \(onDisk.complaints)")
            if onDisk.trace != inMemory.trace { Issue.record("seed \(seed): \(try difference(seed))") }
        }
    }

    /// Returns the first turn that differs between the two stores.
    private func difference(_ seed: UInt64) throws -> String {
        var options = SimulationOptions()
        options.traceLines = .max
        let inMemory = Simulation.run(seed, options: options).lines
        let onDisk = Simulation.run(seed, options: options, shelf: try SQLiteShelf()).lines
        let place = zip(inMemory, onDisk).enumerated().first { $1.0 != $1.1 }
        return place.map { "line \($0.offset): \($0.element.0) became \($0.element.1)" } ?? "what is not shown differs"
    }

    @Test func beingLookedAtChangesNothing() {
        var options = SimulationOptions()
        options.traceLines = 1000
        for seed in Self.seeds {
            let outcome = Simulation.run(seed, options: options)
            #expect(outcome.trace == Simulation.run(seed).trace)
            #expect(!outcome.lines.isEmpty)
        }
    }
}
