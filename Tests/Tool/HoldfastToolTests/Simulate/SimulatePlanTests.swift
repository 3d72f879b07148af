import Testing

@testable import ChatSimulation
@testable import HoldfastTool

/// Tests which entries of a plan `holdfast simulate` runs.
@Suite("Tool: simulate, plans", .timeLimit(.minutes(2)))
struct SimulatePlanTests {
    @Test(arguments: [
        ["--seed", "1", "--faults", "999"], ["--seed", "1", "--faults", "0,999"], ["--seed", "1", "--faults", ""],
        ["--seed", "1", "--faults", "0,"], ["--seed", "1", "--faults", "-1"], ["--faults", "0"], ["--trace"],
        ["--seed", "1", "--seeds", "5"], ["--seed", "1", "--from", "5"], ["--seeds", "0"],
        ["--seed", "18446744073709551615"], ["--seeds", "2", "--from", "18446744073709551615"],
    ])
    func ignoredEntriesAreErrors(_ arguments: [String]) async {
        let outcome = await ToolOutcome.of(["simulate"] + arguments)
        #expect(outcome.status == .usage, "\(outcome.notes)")
        #expect(outcome.output.isEmpty)
    }

    @Test func emptyPlanIsReplayed() async throws {
        #expect(PlanNumbers(argument: "none") == PlanNumbers([]))
        #expect(PlanNumbers([]).text == "none")
        #expect(PlanNumbers(argument: "3,1")?.text == "3,1")
        let outcome = await ToolOutcome.of("simulate", "--seed", "1", "--faults", "none", "--trace")
        #expect(outcome.status == .success, "\(outcome.output)")
        #expect(outcome.output.contains("every rule held"))
    }

    @Test func aFailureThatNeedsNoFaultIsReplayedWithoutAny() throws {
        let plan = Plan(items: [])
        let batch = SimulationBatch(seeds: 1..<2, plan: plan, worlds: .cores(nil), jobs: 1)
        var outcome = Simulation.run(1, plan: plan)
        outcome.complaints = [Complaint(rule: .inOrder, time: 1, text: "made up")]
        let failure = try #require(SimulatedFailure(outcome, in: batch, shrinks: false))
        #expect(failure.replay(in: .cores(nil)) == "holdfast simulate --seed 1 --faults none --trace")
        let drivers = try #require(SimulatedWorlds(drivers: true, planted: "lostCommit"))
        #expect(
            failure.replay(in: drivers)
                == "holdfast simulate --seed 1 --faults none --driver --planted lostCommit --trace")
    }
}
