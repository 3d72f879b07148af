import ChatSimulation
import Testing

/// Runs 2,000 worlds full of faults. `holdfast simulate` runs more seeds.
@Suite struct SeedTests {
    static let parts: [Range<UInt64>] = [0..<500, 500..<1000, 1000..<1500, 1500..<2000]

    /// Every tenth seed also runs through the JSON codec, with the same trace.
    @Test(arguments: parts)
    func everyRuleHolds(seeds: Range<UInt64>) async {
        var figures = SimulationFigures()
        for seed in seeds {
            // Yields, because tests over sockets share the few threads.
            await Task.yield()
            let outcome = Simulation.check(seed)
            figures += outcome.figures
            guard !outcome.isGood else { continue }
            Issue.record("\(outcome.story())")
            return
        }
        // Enough happened in the runs to test the rules.
        for kind in Fault.Kind.allCases { #expect(figures.count(of: kind) > 20, "\(kind)") }
        #expect(figures.sent > 2000, "\(figures)")
        #expect(figures.arrived > 1500, "\(figures)")
        #expect(figures.failed > 100, "\(figures)")
        #expect(figures.received > 3000, "\(figures)")
        #expect(figures.restarts > 500, "\(figures)")
        #expect(figures.sockets > 4000, "\(figures)")
    }

    /// Runs seeds that depend on the commit.
    @Test func everyRuleHoldsInNewSeeds() async {
        let run = SeedsOfThisRun.current()
        print(run.description)
        for seed in run.seeds {
            await Task.yield()
            let outcome = Simulation.check(seed)
            guard !outcome.isGood else { continue }
            Issue.record("\(run.description)\n\(outcome.story())")
            return
        }
    }

    @Test func newSeedsDependOnTheCommitAlone() {
        let first = SeedsOfThisRun.current(environment: [SeedsOfThisRun.variable: "a"])
        #expect(first.seeds == SeedsOfThisRun(of: "a", from: "elsewhere").seeds)
        #expect(first.seeds.count == Int(SeedsOfThisRun.count))
        #expect(!first.seeds.overlaps(SeedsOfThisRun(of: "b", from: "elsewhere").seeds))
        #expect(SeedsOfThisRun.current(environment: [:]).seeds == SeedsOfThisRun.current(environment: [:]).seeds)
        #expect(Self.parts.allSatisfy { !$0.overlaps(first.seeds) })
    }
}
