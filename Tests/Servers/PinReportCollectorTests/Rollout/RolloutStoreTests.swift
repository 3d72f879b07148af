import HoldfastTestSupport
import HoldfastTrust
import PinReportDesk
import PinReports
import Testing

@testable import PinReportCollector

/// The counts and the decision of a roll-out, with each engine.
@Suite("Roll-outs in report stores")
struct RolloutStoreTests {
    private let sample: Sample
    private let scene = RolloutScene()
    private let plan: RolloutPlan

    init() throws {
        sample = try Sample.shared.get()
        plan = try scene.rollout().plan
    }

    /// Returns a report of an installation, marked for the roll-out.
    private func report(
        _ id: String, client: String, version: Int64?, at seconds: Int64 = 0, app: String = RolloutScene.application
    ) throws -> IncomingReport {
        var report = try sample.incoming(1, id: id, at: seconds) {
            $0["app-vendor-id"] = client
            $0["app-bundle-id"] = app
            if let version { $0["holdfast-policy-version"] = Int(version) }
        }
        report.mark([plan])
        return report
    }

    private func count(_ stage: Int64, _ isCohort: Bool, _ clients: Int) -> RolloutCount {
        RolloutCount(
            stage: RolloutScene.start.advanced(bySeconds: stage), isCohort: isCohort, clients: clients, isExact: true)
    }

    @Test(arguments: StoreEngine.available)
    func installationsCountOnceForEachStageAndGroup(_ engine: StoreEngine) async throws {
        let day = RolloutScene.day
        try await engine.with { store async throws in
            let batch = try [
                report("1", client: "a", version: 4), report("2", client: "a", version: 4, at: 10),
                report("3", client: "b", version: 4), report("4", client: "c", version: 3),
                report("5", client: "d", version: nil),
                // A repeated report, another app, no identifier of the installation, and before the first stage.
                report("1", client: "a", version: 4), report("6", client: "e", version: 4, app: "com.example.other"),
                report("7", client: "", version: 4), report("8", client: "f", version: 4, at: -1),
            ]
            _ = try await store.add(batch, limits: ReportCollectorLimits())
            #expect(try await store.rollout(plan.id).counts == [count(0, false, 2), count(0, true, 2)])
            // The next stage counts anew; a later batch adds to it.
            _ = try await store.add(report("9", client: "a", version: 4, at: day))
            _ = try await store.add(report("10", client: "b", version: 4, at: day + 5))
            #expect(
                try await store.rollout(plan.id).counts
                    == [count(0, false, 2), count(0, true, 2), count(day, true, 2)])
            let other = RolloutID(application: RolloutScene.application, version: 5)
            #expect(try await store.rollout(other) == RolloutRecord())
        }
    }

    @Test(arguments: StoreEngine.available)
    func theFirstDecisionAndTheFirstHaltStay(_ engine: StoreEngine) async throws {
        let first = RolloutStop(
            stage: RolloutScene.start, decidedAt: RolloutScene.start, cohortFailures: 14, cohortClients: 10_000,
            baselineFailures: 3, baselineClients: 990_000)
        var second = first
        second.cohortFailures = 20
        try await engine.with { store async throws in
            // Without a decision, there is no halt and nothing to end.
            #expect(try await store.change(plan.id, .halt([1], serial: 5, replacing: 0)) == RolloutRecord())
            #expect(try await store.change(plan.id, .release(RolloutScene.start)) == RolloutRecord())
            #expect(try await store.change(plan.id, .stop(first)).stop == first)
            #expect(try await store.change(plan.id, .stop(second)).stop == first)
            var record = try await store.change(plan.id, .halt([1], serial: 5, replacing: 0))
            #expect(record.halt == [1] && record.haltSerial == 5)
            record = try await store.change(plan.id, .halt([2], serial: 6, replacing: 0))
            #expect(record.halt == [1] && record.haltSerial == 5)
            record = try await store.change(plan.id, .halt([3], serial: 9, replacing: 5))
            #expect(record.halt == [3] && record.haltSerial == 9 && record.releasedAt == nil)
            record = try await store.change(plan.id, .release(RolloutScene.start))
            #expect(record.releasedAt == RolloutScene.start)
            // An ended halt is not replaced.
            #expect(try await store.change(plan.id, .halt([4], serial: 10, replacing: 9)).halt == [3])
            #expect(try await store.rollout(plan.id).stop == first)
        }
    }

    @Test(arguments: StoreEngine.available)
    func countsAreKeptAsLongAsReports(_ engine: StoreEngine) async throws {
        var limits = ReportCollectorLimits()
        limits.storedFor = .seconds(10 * RolloutScene.day)
        try await engine.with { store async throws in
            _ = try await store.add(report("1", client: "a", version: 4))
            let stop = RolloutStop(
                stage: RolloutScene.start, decidedAt: RolloutScene.start, cohortFailures: 1, cohortClients: 1,
                baselineFailures: 0, baselineClients: 0)
            _ = try await store.change(plan.id, .stop(stop))
            func days(_ number: Int64) -> Timestamp { RolloutScene.start.advanced(bySeconds: number * 86_400) }
            try await store.expire(at: days(9), limits: limits)
            #expect(try await store.rollout(plan.id).counts.count == 1)
            try await store.expire(at: days(12), limits: limits)
            #expect(try await store.rollout(plan.id).counts.isEmpty)
            #expect(try await store.rollout(plan.id).stop == stop)
            try await store.expire(at: days(401), limits: limits)
            #expect(try await store.rollout(plan.id) == RolloutRecord())
        }
    }

    /// Beyond 255 installations the count is an estimate.
    @Test(arguments: StoreEngine.available)
    func manyInstallationsAreEstimated(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            for start in [0, 400] {
                let batch = try (start..<start + 400).map { try report("\($0)", client: "\($0)", version: 4) }
                _ = try await store.add(batch, limits: ReportCollectorLimits())
            }
            let count = try #require(try await store.rollout(plan.id).counts.first)
            #expect(!count.isExact)
            #expect((760...840).contains(count.clients), "\(count.clients)")
        }
    }

    #if PostgreSQL
    /// Two collectors count in rows of their own, and an installation that reports to both counts once.
    @Test(.enabled(if: StoreEngine.isPostgreSQLInstalled, StoreEngine.skipped))
    func collectorsCountTogether() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        let first = try await PostgreSQLReportStore.open(url: url, at: Sample.time, entropy: { 0 })
        let second = try await PostgreSQLReportStore.open(url: url, at: Sample.time, entropy: { 1 })
        _ = try await first.add([report("1", client: "a", version: 4)], limits: ReportCollectorLimits())
        _ = try await second.add(
            [report("2", client: "a", version: 4), report("3", client: "b", version: 4)],
            limits: ReportCollectorLimits())
        #expect(try await first.rollout(plan.id).counts == [count(0, true, 2)])
        await first.close()
        await second.close()
    }
    #endif
}
