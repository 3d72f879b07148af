import HoldfastTestSupport
import HoldfastTrust
import PinReports
import ServerMarkup
import Testing

@testable import PinReportDesk

/// The plan of a roll-out, its assessment and the page.
@Suite("Roll-outs on the report desk")
struct RolloutTests {
    private static let key = BundleSigningKey(generating: .ed25519, id: "a")
    private static let day: Int64 = 86_400

    private func at(_ seconds: Int64) -> Timestamp { Scene.now.advanced(bySeconds: seconds) }

    private func stage(_ share: Int, _ seconds: Int64, platforms: Set<String> = []) -> BundleRollout.Stage {
        BundleRollout.Stage(share: share, begins: at(seconds), platforms: platforms)
    }

    private func bundle(_ stages: [BundleRollout.Stage]) throws -> [UInt8] {
        let pins = ([1, 2] as [UInt8]).map { "\"\(SPKIDigest(hashing: [$0]))\"" }.joined(separator: ", ")
        let policy = "{\"holdfast\": 1, \"domains\": [{\"host\": \"api.example.com\", \"pins\": [\(pins)]}]}"
        return try SignedBundle.sign(
            policy: Array(policy.utf8), application: Scene.app, version: 4, notBefore: at(-10),
            notAfter: at(60 * Self.day), with: Self.key, rollout: stages.isEmpty ? nil : BundleRollout(stages: stages)
        ).bytes
    }

    private func plan(
        _ stages: [BundleRollout.Stage], fleet: Int = 1_000_000, cohorts: [Int] = []
    ) throws(RolloutPlan.Refusal) -> RolloutPlan {
        guard let contents = try? bundle(stages) else { throw RolloutPlan.Refusal(reason: "no bundle") }
        return try RolloutPlan(name: "shop.bundle", contents: contents, fleet: fleet, cohorts: cohorts)
    }

    private var staged: [BundleRollout.Stage] { [stage(10_000, 2 * Self.day), stage(100, 0), stage(1_000, Self.day)] }

    private func counts(cohort: Int, baseline: Int, isExact: Bool = true, stage: Int64 = 0) -> [RolloutCount] {
        [
            RolloutCount(stage: at(stage), isCohort: true, clients: cohort, isExact: isExact),
            RolloutCount(stage: at(stage), isCohort: false, clients: baseline, isExact: isExact),
        ]
    }

    // MARK: The plan

    @Test func sizesFollowTheSharesOrTheOperator() throws {
        let plan = try plan(staged)
        #expect(plan.id == RolloutID(application: Scene.app, version: 4))
        #expect(plan.stages.map(\.begins) == [at(0), at(Self.day), at(2 * Self.day)])
        #expect(plan.stages.map(\.cohort) == [10_000, 100_000, 1_000_000])
        #expect(plan.end == at(16 * Self.day))
        #expect(try self.plan(staged, cohorts: [7, 7, 9]).stages.map(\.cohort) == [7, 7, 9])
        // Stages that begin together are one, and a later smaller share takes nothing away.
        let together = try self.plan([stage(500, 0), stage(100, 0), stage(200, 5)])
        #expect(together.stages.map(\.cohort) == [50_000, 50_000])
        #expect(try self.plan([stage(1, 0)], fleet: 3).stages.map(\.cohort) == [1])
        #expect(
            try self.plan([stage(10_000, 0)], fleet: RolloutPlan.largestFleet).stages.map(\.cohort)
                == [RolloutPlan.largestFleet])
    }

    @Test func impossibleSizesAreRefused() throws {
        func isRefused(_ stages: [BundleRollout.Stage], fleet: Int = 100, cohorts: [Int] = []) -> Bool {
            (try? plan(stages, fleet: fleet, cohorts: cohorts)) == nil
        }
        #expect(isRefused([]))
        for fleet in [Int.min, -1, 0, RolloutPlan.largestFleet + 1, Int.max] {
            #expect(isRefused(staged, fleet: fleet))
        }
        for cohorts in [[1, 2], [2, 1, 3], [0, 1, 2], [1, 2, 101], [Int.min, 0, Int.max]] {
            #expect(isRefused(staged, cohorts: cohorts), "\(cohorts)")
        }
        // The desk does not know how many installations have a platform.
        #expect(isRefused([stage(100, 0, platforms: ["ios"])]))
        #expect(!isRefused([stage(100, 0, platforms: ["ios"])], cohorts: [5]))
        #expect(throws: RolloutPlan.Refusal.self) { try RolloutPlan(name: "x", contents: [1], fleet: 1) }
    }

    // MARK: The decisions

    @Test func aBadBundleStopsAfterFourteenInstallations() throws {
        let plan = try plan(staged)
        for count in 0...13 {
            let assessment = RolloutAssessment(plan, counts(cohort: count, baseline: 3), at: at(60))
            #expect(assessment.stop(at: at(60)) == nil)
            #expect(assessment.words.hasPrefix("Continue: "))
        }
        let assessment = RolloutAssessment(plan, counts(cohort: 14, baseline: 3), at: at(60))
        #expect(
            assessment.stop(at: at(60))
                == RolloutStop(
                    stage: at(0), decidedAt: at(60), cohortFailures: 14, cohortClients: 10_000, baselineFailures: 3,
                    baselineClients: 990_000))
        #expect(assessment.stages[1].words == nil)
    }

    /// All installations fail equally often, as through a network that intercepts connections.
    @Test func noiseDoesNotStopARollout() throws {
        let plan = try plan(staged)
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<10 {
            var (cohort, baseline) = (0, 0)
            for _ in 0..<1_000 {
                if Int.random(in: 0..<100, using: &generator) == 0 { cohort += 1 } else { baseline += 1 }
                let stop = RolloutAssessment(plan, counts(cohort: cohort, baseline: baseline), at: at(60)).stop(
                    at: at(60))
                #expect(stop == nil, "\(cohort) \(baseline)")
            }
        }
    }

    /// An estimate may be wrong by several percent, which must not stop a roll-out.
    @Test func theErrorOfEstimatesCountsAgainstAHalt() throws {
        let plan = try plan([stage(5_000, 0)])
        let exact = RolloutAssessment(plan, counts(cohort: 1_000, baseline: 440), at: at(60))
        #expect(exact.stop(at: at(60)) != nil)
        let estimated = RolloutAssessment(plan, counts(cohort: 1_000, baseline: 440, isExact: false), at: at(60))
        #expect(estimated.stop(at: at(60)) == nil)
        #expect(estimated.stages[0].cohort.failures == 950 && estimated.stages[0].baseline.failures == 463)
        let bad = RolloutAssessment(plan, counts(cohort: 4_000, baseline: 300, isExact: false), at: at(60))
        #expect(bad.stop(at: at(60)) != nil)
    }

    @Test func withoutABaselineTheShareCounts() throws {
        let plan = try plan([stage(10_000, 0)], fleet: 1_000)
        #expect(RolloutAssessment(plan, counts(cohort: 49, baseline: 90), at: at(1)).stop(at: at(1)) == nil)
        let assessment = RolloutAssessment(plan, counts(cohort: 50, baseline: 90), at: at(1))
        #expect(assessment.stop(at: at(1))?.cohortFailures == 50)
        #expect(
            assessment.words
                == "Stop: 50 of 1,000 installations (5 %) failed with this version. Without a baseline, the roll-out "
                + "stops at 5 %.")
    }

    @Test func aStageThatHasNotBegunDecidesNothing() throws {
        let plan = try plan(staged)
        let assessment = RolloutAssessment(plan, counts(cohort: 500, baseline: 0, stage: Self.day), at: at(60))
        #expect(assessment.stop(at: at(60)) == nil)
        #expect(RolloutAssessment(plan, [], at: at(-1)).words == "None: no stage has begun.")
    }

    @Test func extremeCountsDoNotTrap() throws {
        let plan = try plan(staged)
        for cohort in [Int.min, -1, 0, 1 << 40, Int.max / 2] {
            for baseline in [Int.min, 0, 1 << 40, Int.max / 2] {
                for isExact in [true, false] {
                    let assessment = RolloutAssessment(
                        plan, counts(cohort: cohort, baseline: baseline, isExact: isExact), at: at(60))
                    #expect(!assessment.words.isEmpty)
                }
            }
        }
    }

    // MARK: Words and the page

    @Test func numbersAreReadable() {
        #expect(
            [0, 7, 999, 1_000, 12_345_678, -5].map(RolloutWords.grouped) == [
                "0", "7", "999", "1,000", "12,345,678", "0",
            ])
        let shares = [(0, 5), (5, 0), (1, 1_000_000), (1, 10_000_000), (1, 3), (5, 5), (9, 5), (14, 10_000)]
        #expect(
            shares.map { RolloutWords.percent($0.0, $0.1) } == [
                "0 %", "0 %", "0.0001 %", "less than 0.0001 %", "33.3333 %", "100 %", "100 %", "0.14 %",
            ])
    }

    @Test func theCommandIsQuoted() throws {
        let contents = try bundle(staged)
        let plan = try RolloutPlan(name: "my shop's.bundle", contents: contents, fleet: 100)
        #expect(
            RolloutWords.haltCommand(plan, keyID: "h", at: Scene.now)
                == "holdfast bundle halt --key halt.pem --key-id h --application com.example.shop --version 4 "
                + "--not-after 2031-03-22 --output 'my shop'\\''s.bundle.halt'")
        let hostile = try RolloutPlan(name: "-x\u{202E}", contents: contents, fleet: 100)
        #expect(
            RolloutWords.haltCommand(hostile, at: Scene.now).hasSuffix(
                "--key-id KEY-ID --application "
                    + "com.example.shop --version 4 --not-after 2031-03-22 --output FILE.halt"))
    }

    @Test func thePageShowsTheDecisionOfEachStage() throws {
        let pages = ReportDeskPages(visitor: DeskVisitor(name: "Ada", form: "f0"), now: Scene.now)
        var view = RolloutView(
            name: "shop.bundle", application: Scene.app, version: 4, notAfter: nil,
            stages: [.init(begins: Scene.now, share: 100, limits: "all")])
        #expect(pages.rollouts([view]).text.contains("none: the roll-out is not watched"))
        #expect(pages.rollouts([view]).text.contains("data-stopped=\"false\""))
        view.stages[0].decision = "Stop: <b>"
        view.fleet = 1_000_000
        view.isStopped = true
        view.halt = "The halt is not published. <i>"
        view.haltCommand = "holdfast bundle halt"
        let text = pages.rollouts([view]).text
        #expect(
            text.contains("Stop: &lt;b&gt;") && text.contains("1,000,000") && text.contains("data-stopped=\"true\""))
        #expect(text.contains("<dt>Halt</dt><dd dir=\"auto\">The halt is not published. &lt;i&gt;</dd>"))
        #expect(text.contains("<code>holdfast bundle halt</code>"))
    }
}
