import ChatSimulation
import Testing

/// Tests the plan of a seed and its reduction to the entries that a failure needs.
@Suite struct PlanTests {
    @Test func aPlanIsItsSeeds() {
        #expect(Plan(seed: 7) == Plan(seed: 7))
        #expect(Plan(seed: 7) != Plan(seed: 8))
        let plan = Plan(seed: 7)
        #expect(plan.items.map(\.number) == Array(plan.items.indices))
        #expect(plan.lines.count == plan.items.count)
    }

    @Test func entriesCanBeNamed() {
        let plan = Plan(seed: 7)
        let part = plan.keeping([3, 1, 999])
        #expect(part.items == [plan.items[1], plan.items[3]])
        #expect(plan.keeping([]).items.isEmpty)
    }

    /// A reduced plan breaks the same rule, and all of its entries are needed.
    @Test func aFailureIsShrunkToWhatItNeeds() throws {
        var options = SimulationOptions()
        options.plantedBug = .queueReordered
        let seed = try #require((0..<2000 as Range<UInt64>).first { !Simulation.run($0, options: options).isGood })
        let rule = try #require(Simulation.run(seed, options: options).complaints.first?.rule)
        #expect(rule == .inOrder)
        var shrinker = PlanShrinker(seed: seed, rule: rule, options: options)
        let plan = shrinker.shrink(Plan(seed: seed))
        #expect(plan.items.count < Plan(seed: seed).items.count / 2)
        #expect(Simulation.run(seed, plan: plan, options: options).complaints.first?.rule == rule)
        for item in plan.items {
            let rest = Plan(items: plan.items.filter { $0 != item })
            #expect(Simulation.run(seed, plan: rest, options: options).complaints.first?.rule != rule)
        }
    }

    @Test func aShrinkerThatMayNotRunLeavesThePlan() {
        var shrinker = PlanShrinker(seed: 1, rule: .inOrder, mostRuns: 0)
        #expect(shrinker.shrink(Plan(seed: 1)) == Plan(seed: 1))
        #expect(shrinker.runs == 0)
    }

    /// Removing a fault does not change unrelated events.
    @Test func anEmptyPlanIsAQuietWorld() {
        for seed in 0..<20 as Range<UInt64> {
            let outcome = Simulation.run(seed, plan: Plan(items: []))
            #expect(outcome.isGood, "\(outcome.complaints)")
            #expect(Fault.Kind.allCases.allSatisfy { outcome.figures.count(of: $0) == 0 })
            #expect(outcome.figures.restarts == 0)
        }
    }
}
