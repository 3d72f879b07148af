import ChatSimulation

/// A world in which a rule did not hold, with what is needed to see it again.
struct SimulatedFailure {
    var seed: UInt64
    var complaint: Complaint
    /// What is left of the plan, and how many runs it took to find that out.
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
        var options = batch.options
        if shrinks {
            var shrinker = PlanShrinker(seed: outcome.seed, rule: complaint.rule, options: options)
            plan = shrinker.shrink(plan)
            runs = shrinker.runs
        }
        options.traceLines = Self.tail
        let last = Simulation.run(outcome.seed, plan: plan, options: options)
        // A failure that only a comparison of two runs shows has no complaint of its own.
        complaint = last.complaints.first ?? complaint
        seed = outcome.seed
        self.complaint = complaint
        self.plan = plan
        lines = last.lines
    }

    /// The command that replays it.
    func replay(planted: PlantedBug?) -> String {
        "holdfast simulate --seed \(seed) --faults \(PlanNumbers(plan.items.map(\.number)).text)"
            + (planted.map { " --planted \($0.rawValue)" } ?? "") + " --trace"
    }
}
