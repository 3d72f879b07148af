import ChatSimulation
import HoldfastSystem
import HoldfastTrust

/// The result of a batch, for a person or as JSON.
struct SimulationReport {
    let batch: SimulationBatch
    let result: SimulationBatch.Result
    let duration: Duration
    let shrinks: Bool
    private let failures: [SimulatedFailure]

    /// Shrinks the failures and reads their traces.
    init(batch: SimulationBatch, result: SimulationBatch.Result, duration: Duration, shrinks: Bool) {
        self.batch = batch
        self.result = result
        self.duration = duration
        self.shrinks = shrinks
        failures = result.failures.compactMap { SimulatedFailure($0, in: batch, shrinks: shrinks) }
    }

    /// Whether every rule held, or the planted bug was found.
    var isGood: Bool { result.failures.isEmpty == (batch.worlds.plantedBug == nil) }

    var text: String { (failures.flatMap(lines) + [summary] + faultLines).joined(separator: "\n") }

    private func lines(of failure: SimulatedFailure) -> [String] {
        var lines = [
            "seed \(failure.seed) breaks \(failure.complaint.rule.rawValue) at \(failure.complaint.time) ms: "
                + failure.complaint.text
        ]
        if shrinks {
            lines.append(
                "  \(failure.plan.items.count) of \(failure.planned) plan entries reproduce it (\(failure.runs) runs):"
            )
            lines += failure.plan.lines.map { "    " + $0 }
        }
        lines.append("  the end of its trace:")
        lines += failure.lines.map { "    " + $0 }
        lines.append("  to replay: " + failure.replay(in: batch.worlds))
        return lines
    }

    private var summary: String {
        let figures = result.figures
        let verdict =
            switch (batch.worlds.plantedBug, result.failures.first) {
            case (nil, nil): "every rule held"
            case (nil, .some): "a rule did not hold"
            case (.some(let bug), nil): "the planted bug \(bug) was not found"
            case (.some(let bug), .some(let outcome)):
                "the planted bug \(bug) was found at seed \(outcome.seed)"
            }
        let strangers =
            result.strangers == 0
            ? ""
            : "; \(result.strangers) seed\(result.strangers == 1 ? "" : "s") broke unrelated rules"
        let trace = batch.seeds.count == 1 ? result.trace[batch.seeds.lowerBound].map { ", trace \($0)" } ?? "" : ""
        return
            "\(figures.seeds) seeds, \(figures.events) events, \(figures.sent) messages sent, "
            + "\(figures.arrived) arrived, "
            + "\(figures.failed) failed, \(figures.restarts) restarts, \(figures.sockets) sockets in "
            + "\(duration.wholeMilliseconds) ms\(trace): \(verdict)\(strangers)"
    }

    private var faultLines: [String] {
        let counts = Fault.Kind.allCases.map { "\($0.rawValue) \(result.figures.count(of: $0))" }
        return ["faults: " + counts.joined(separator: ", ")]
    }

    /// One JSON object.
    var json: String {
        let figures = result.figures
        func number(_ value: some BinaryInteger) -> JSONNode.Value { .number(String(value)) }
        let faults = Fault.Kind.allCases.map { ($0.rawValue, number(figures.count(of: $0)) as JSONNode.Value?) }
        let items = failures.map { failure -> JSONNode.Value in
            .fields([
                ("seed", number(failure.seed)), ("rule", .string(failure.complaint.rule.rawValue)),
                ("milliseconds", number(failure.complaint.time)), ("text", .string(failure.complaint.text)),
                ("plan", .list(failure.plan.lines.map { .string($0) })),
                ("replay", .string(failure.replay(in: batch.worlds))),
                ("trace", .list(failure.lines.map { .string($0) })),
            ])
        }
        let text = JSONWriter.text(
            .fields([
                ("good", .bool(isGood)), ("planted", batch.worlds.plantedBug.map { .string($0) }),
                ("seeds", number(figures.seeds)), ("events", number(figures.events)),
                ("sent", number(figures.sent)), ("arrived", number(figures.arrived)),
                ("failed", number(figures.failed)), ("restarts", number(figures.restarts)),
                ("sockets", number(figures.sockets)), ("milliseconds", number(duration.wholeMilliseconds)),
                ("trace", result.trace[batch.seeds.lowerBound].map { .string($0.description) }),
                ("strangers", number(result.strangers)),
                ("faults", .fields(faults)), ("failures", .list(items)),
            ]))
        return String(text.dropLast())
    }
}

/// A world in which a rule did not hold, with everything needed to replay it.
struct SimulatedFailure {
    var seed: UInt64
    var complaint: Complaint
    /// The shrunk plan, and the number of runs for shrinking.
    var plan: Plan
    var planned: Int
    var runs: Int
    /// The end of the trace.
    var lines: [String]

    static let tail = 60

    init?(_ outcome: SimulationOutcome, in batch: SimulationBatch, shrinks: Bool) {
        guard var complaint = outcome.complaints.first else { return nil }
        var plan = batch.plan ?? Plan(seed: outcome.seed)
        planned = plan.items.count
        runs = 0
        if shrinks {
            var shrinker = PlanShrinker(seed: outcome.seed, rule: complaint.rule)
            plan = shrinker.shrink(plan) { batch.worlds.run(outcome.seed, plan: $0) }
            runs = shrinker.runs
        }
        let last = batch.worlds.run(outcome.seed, plan: plan, traceLines: Self.tail)
        // A failure that only a comparison of two runs shows has no complaint of its own.
        complaint = last.complaints.first ?? complaint
        seed = outcome.seed
        self.complaint = complaint
        self.plan = plan
        lines = last.lines
    }

    /// Returns the command that replays the failure.
    func replay(in worlds: SimulatedWorlds) -> String {
        "holdfast simulate --seed \(seed) --faults \(PlanNumbers(plan.items.map(\.number)).text)"
            + worlds.arguments + " --trace"
    }
}
