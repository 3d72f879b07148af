import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// The decision that stops a roll-out, with simulated failures.
@Suite("The monitor of a roll-out")
struct RolloutMonitorTests {
    private typealias Group = RolloutMonitor.Group

    private func settings(_ falseAlarms: Double) -> RolloutMonitor.Settings {
        var settings = RolloutMonitor.Settings()
        settings.falseAlarms = falseAlarms
        return settings
    }

    /// Simulates failures one after the other, and returns how many occurred before the halt; `nil` without a halt.
    /// `ratio` says how much more often an installation of the cohort fails.
    private func failuresUntilHalt(
        ratio: Double, share: Double = 0.05, limit: Int = 300, _ settings: RolloutMonitor.Settings,
        _ generator: inout SeededGenerator
    ) -> Int? {
        var monitor = RolloutMonitor(settings)
        let cohort = Int(share * 1_000_000)
        let weight = ratio * share
        for count in 1...limit {
            let isCohort = Double.random(in: 0..<1, using: &generator) < weight / (weight + 1 - share)
            let decision = monitor.observe(
                cohort: Group(clients: cohort, failures: isCohort ? 1 : 0),
                baseline: Group(clients: 1_000_000 - cohort, failures: isCohort ? 0 : 1))
            if decision != .continue { return count }
        }
        return nil
    }

    /// The decision is made after every failure. The bound holds for the whole roll-out.
    @Test("false alarms stay below the stated bound, although every failure is evaluated", arguments: [1.0, 1.5])
    func falseAlarms(ratio: Double) {
        var generator = SeededGenerator(seed: 21)
        let alarms = (0..<300).count { _ in failuresUntilHalt(ratio: ratio, settings(0.05), &generator) != nil }
        // 5 % of 300, and three standard deviations.
        #expect(alarms <= 15 + 11, "\(alarms)")
    }

    /// Checks that the test above can fail: a cohort that is worse than tolerated exceeds the bound.
    @Test func theBoundIsForTheToleratedRatio() {
        var generator = SeededGenerator(seed: 21)
        let alarms = (0..<300).count { _ in failuresUntilHalt(ratio: 3, settings(0.05), &generator) != nil }
        #expect(alarms > 150, "\(alarms)")
    }

    @Test("a bundle that fails everywhere is stopped after a few failures")
    func harmfulBundle() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            let count = failuresUntilHalt(ratio: 1_000, share: 0.01, RolloutMonitor.Settings(), &generator)
            #expect(try #require(count) <= 25)
        }
    }

    @Test("three times as many failures are found with the expected number")
    func moderateHarm() throws {
        var generator = SeededGenerator(seed: 5)
        var counts: [Int] = []
        for _ in 0..<40 {
            counts.append(
                try #require(
                    failuresUntilHalt(
                        ratio: 3, share: 0.01, limit: 10_000, RolloutMonitor.Settings(), &generator)))
        }
        let mean = counts.reduce(0, +) / counts.count
        #expect((1_000...2_600).contains(mean), "\(mean)")
    }

    @Test("a few failures never stop a roll-out, and a halt is final")
    func minimumAndFinality() {
        var monitor = RolloutMonitor(settings(0.5))
        let large = Group(clients: 9_000_000, failures: 0)
        #expect(monitor.observe(cohort: Group(clients: 100, failures: 9), baseline: large) == .continue)
        guard case .halt(let reason) = monitor.observe(cohort: Group(clients: 100, failures: 1), baseline: large)
        else {
            Issue.record("not stopped")
            return
        }
        #expect(reason.cohortFailures == 10 && reason.cohortClients == 100 && reason.baselineFailures == 0)
        #expect(reason.description.contains("10 of 100"))
        let calm = monitor.observe(
            cohort: Group(clients: 100, failures: 0), baseline: Group(clients: 100, failures: 100))
        #expect(calm == .halt(reason))
    }

    @Test("without a baseline, only the share of failures counts")
    func noBaseline() {
        var monitor = RolloutMonitor()
        let none = Group(clients: 0, failures: 0)
        #expect(monitor.observe(cohort: Group(clients: 1_000, failures: 49), baseline: none) == .continue)
        #expect(monitor.observe(cohort: Group(clients: 1_000, failures: 1), baseline: none) != .continue)
    }

    @Test("counts and settings outside of their ranges do not trap")
    func extremes() {
        for value in [Int.min, -1, 0, 1, Int.max] {
            for other in [Int.min, 0, Int.max] {
                var monitor = RolloutMonitor()
                for _ in 0..<3 {
                    _ = monitor.observe(
                        cohort: Group(clients: value, failures: other), baseline: Group(clients: other, failures: value)
                    )
                }
            }
        }
        var strange = RolloutMonitor.Settings()
        strange.falseAlarms = .nan
        #expect(RolloutMonitor(strange) == RolloutMonitor())
        strange = RolloutMonitor.Settings()
        strange.harmfulRatio = 1
        #expect(RolloutMonitor(strange) == RolloutMonitor())
    }

    @Test("the odds are those of the likelihood ratio, and reach the limit when the roll-out stops")
    func odds() {
        var monitor = RolloutMonitor()
        #expect(monitor.odds == 1)
        for count in 1...14 {
            let decision = monitor.observe(
                cohort: Group(clients: 10_000, failures: 1), baseline: Group(clients: 990_000, failures: 0))
            #expect((decision == .continue) == (count < 14))
            #expect((monitor.odds >= 10_000) == (count == 14))
        }
        // (3 / 1.5 · 1.005 / 1.02)^14
        #expect(abs(monitor.odds / 13_315.04 - 1) < 1e-4, "\(monitor.odds)")
        var good = RolloutMonitor()
        _ = good.observe(
            cohort: Group(clients: 10_000, failures: 0), baseline: Group(clients: 990_000, failures: 100_000))
        #expect(good.odds < 1e-300)
    }

    @Test(
        "the exponential function is exact to thirteen digits",
        arguments: [(0.0, 1.0), (1, 2.718281828459045), (-2.5, 0.0820849986238988), (34.5, 961965785544776.4)])
    func exponential(value: Double, expected: Double) {
        #expect(abs(RolloutMonitor.exponential(value) / expected - 1) <= 1e-13)
    }

    @Test(
        "the logarithm is exact to fourteen digits",
        arguments: [
            (1.0, 0.0), (10, 2.302585092994046), (1e-9, -20.72326583694641), (0.75, -0.2876820724517809),
            (1e300, 690.7755278982137),
        ])
    func logarithm(value: Double, expected: Double) {
        #expect(abs(RolloutMonitor.logarithm(value) - expected) <= 1e-14 * max(1, abs(expected)))
    }
}
