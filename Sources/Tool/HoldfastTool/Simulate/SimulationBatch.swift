import ChatSimulation
import Foundation

/// Runs many seeds concurrently.
struct SimulationBatch: Sendable {
    /// The results of a batch.
    struct Result: Sendable {
        var figures = SimulationFigures()
        /// The first failures by seed.
        var failures: [SimulationOutcome] = []
        /// The number of seeds with a planted bug that broke another bug's rule, or a rule that breaks without the bug
        /// as well.
        var strangers = 0
        /// The digests of all traces, by seed.
        var trace: [UInt64: TraceDigest] = [:]
    }

    var seeds: Range<UInt64>
    /// A plan that replaces the seed's own; only for a single seed.
    var plan: Plan?
    var worlds: SimulatedWorlds
    var jobs: Int

    /// The number of failed worlds after which a batch ends.
    static let mostFailures = 3
    /// The number of seeds that one job takes at a time.
    private static let share: UInt64 = 20

    static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// Describes what will run, in one line.
    var announcement: String {
        let which =
            seeds.count == 1 ? "seed \(seeds.lowerBound)" : "seeds \(seeds.lowerBound) to \(seeds.upperBound - 1)"
        return "simulating \(which), \(jobs) at a time"
    }

    func run() async -> Result {
        var result = Result()
        await withTaskGroup(of: [(outcome: SimulationOutcome, counts: Bool)].self) { group in
            var next = seeds.lowerBound
            func add() {
                guard next < seeds.upperBound, result.failures.count < wantedFailures else { return }
                let part = next..<min(next.advanced(by: Int(Self.share)), seeds.upperBound)
                next = part.upperBound
                group.addTask {
                    part.map { seed in
                        let outcome = worlds.check(seed, plan: plan)
                        return (outcome, counts(outcome))
                    }
                }
            }
            for _ in 0..<jobs { add() }
            while let outcomes = await group.next() {
                for (outcome, counts) in outcomes {
                    result.figures += outcome.figures
                    if seeds.count == 1 { result.trace[outcome.seed] = outcome.trace }
                    if counts { result.failures.append(outcome) } else if !outcome.isGood { result.strangers += 1 }
                }
                add()
            }
        }
        result.failures.sort { $0.seed < $1.seed }
        result.failures = Array(result.failures.prefix(wantedFailures))
        return result
    }

    /// Returns whether an outcome counts. Without a planted bug every failure counts; with one, only the bug's rules in
    /// a world that passes without it.
    private func counts(_ outcome: SimulationOutcome) -> Bool {
        guard let rule = outcome.complaints.first?.rule else { return false }
        guard let rules = worlds.brokenRules else { return true }
        return rules.contains(rule) && worlds.withoutBug.run(outcome.seed, plan: plan).isGood
    }

    private var wantedFailures: Int { worlds.plantedBug == nil ? Self.mostFailures : 1 }

    /// Returns the plan of a seed and every event.
    func trace(of seed: UInt64) -> [String] {
        let plan = plan ?? Plan(seed: seed)
        let outcome = worlds.run(seed, plan: plan, traceLines: .max)
        return plan.lines + outcome.lines + ["trace \(outcome.trace)"]
    }
}
