import ChatSimulation

extension SimulationOutcome {
    /// Describes a failure: the rule, the reduced plan, and the command that repeats it.
    func story(_ options: SimulationOptions = .init()) -> String {
        guard let complaint = complaints.first else { return "seed \(seed): every rule held" }
        var shrinker = PlanShrinker(seed: seed, rule: complaint.rule, options: options, mostRuns: 200)
        let plan = shrinker.shrink(Plan(seed: seed))
        var traced = options
        traced.traceLines = 40
        let last = Simulation.run(seed, plan: plan, options: traced)
        let numbers = plan.items.map { String($0.number) }.joined(separator: ",")
        return """
            seed \(seed) breaks \(complaint.rule.rawValue) at \(complaint.time) ms: \(complaint.text)
            what is needed of its plan:
            \(plan.lines.joined(separator: "\n"))
            the end of the trace:
            \(last.lines.joined(separator: "\n"))
            to see it again: holdfast simulate --seed \(seed) --faults \(numbers) --trace
            """
    }
}
