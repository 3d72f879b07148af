/// Reduces a plan to the entries that a failure needs, by delta debugging (Zeller's ddmin): removes halves first, then
/// smaller parts, as long as the same rule breaks.
package struct PlanShrinker {
    private let seed: UInt64
    private let options: SimulationOptions
    private let rule: Rule
    /// The number of runs so far.
    package private(set) var runs = 0
    /// The limit on the number of runs for one failure.
    private let mostRuns: Int

    package init(seed: UInt64, rule: Rule, options: SimulationOptions = .init(), mostRuns: Int = 500) {
        self.seed = seed
        self.rule = rule
        self.options = options
        self.mostRuns = mostRuns
    }

    /// Returns the smallest plan found that breaks the same rule. Each of its entries is needed, unless the limit on
    /// the runs was reached.
    package mutating func shrink(_ plan: Plan) -> Plan {
        let (seed, options) = (seed, options)
        return shrink(plan) { Simulation.run(seed, plan: $0, options: options) }
    }

    /// Does the same for worlds of another kind.
    package mutating func shrink(_ plan: Plan, running run: (Plan) -> SimulationOutcome) -> Plan {
        var items = plan.items
        var parts = 2
        while !items.isEmpty, runs < mostRuns {
            let size = max(1, (items.count + parts - 1) / parts)
            var smaller: [PlannedItem]?
            for start in stride(from: 0, to: items.count, by: size) {
                var rest = items
                rest.removeSubrange(start..<min(start + size, items.count))
                if breaks(rest, run) {
                    smaller = rest
                    break
                }
            }
            if let smaller {
                items = smaller
                parts = max(2, parts - 1)
            } else if size == 1 {
                break
            } else {
                parts = min(items.count, parts * 2)
            }
        }
        return Plan(items: items)
    }

    private mutating func breaks(_ items: [PlannedItem], _ run: (Plan) -> SimulationOutcome) -> Bool {
        guard runs < mostRuns else { return false }
        runs += 1
        return run(Plan(items: items)).complaints.first?.rule == rule
    }
}
