import HoldfastTrust
import PinReports
import Synchronization
import Testing

@testable import PinReportCollector

/// Requests that share a commit.
@Suite("Report intake", .timeLimit(.minutes(1)))
struct ReportIntakeTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    /// Runs `body` with an intake.
    private func with(
        _ store: GatedStore, queued: Int = 100, _ body: (ReportIntake) async throws -> Void
    ) async throws {
        var limits = ReportCollectorLimits()
        limits.queuedReports = queued
        let intake = ReportIntake(store: store, limits: limits, concurrency: 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await intake.run() }
            try await body(intake)
            group.cancelAll()
        }
    }

    @Test func answersBelongToTheirReports() async throws {
        let store = GatedStore()
        store.open()
        let sample = sample
        try await with(store) { intake async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let report = try sample.incoming(number)
                        let outcome = try await intake.add(report)
                        #expect(outcome == .stored(GatedStore.number(of: report)))
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(store.sizes.reduce(0, +) == 50)
    }

    @Test func waitingReportsShareABatchAndFurtherOnesAreRefused() async throws {
        let store = GatedStore()
        let sample = sample
        try await with(store, queued: 5) { intake async throws in
            try await withThrowingTaskGroup(of: ReportOutcome.self) { group in
                let first = try sample.incoming(0)
                group.addTask { try await intake.add(first) }
                await store.begun()
                for number in 1...5 {
                    let report = try sample.incoming(number)
                    group.addTask { try await intake.add(report) }
                }
                while intake.count < 5 { await Task.yield() }
                do throws(ReportCollectorError) {
                    _ = try await intake.add(first)
                    Issue.record("it was added")
                } catch {
                    #expect(error.code == .overloaded)
                }
                store.open()
                try await group.waitForAll()
            }
        }
        #expect(store.sizes == [1, 5])
    }

    @Test func failedBatchIsRefusedAndTheNextOneIsTried() async throws {
        let store = GatedStore()
        store.open()
        store.fail(ReportCollectorError(.databaseWriteFailed, "full"))
        try await with(store) { intake async throws in
            let report = try sample.incoming(0)
            do throws(ReportCollectorError) {
                _ = try await intake.add(report)
                Issue.record("it was added")
            } catch {
                #expect(error.code == .databaseWriteFailed)
            }
            store.fail(nil)
            #expect(try await intake.add(report) == .stored(GatedStore.number(of: report)))
        }
    }

    @Test func endedIntakeRefuses() async throws {
        let store = GatedStore()
        let intake = ReportIntake(store: store, limits: ReportCollectorLimits(), concurrency: 1)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await intake.run() }
            group.cancelAll()
        }
        await #expect(throws: ReportCollectorError.self) { try await intake.add(sample.incoming(0)) }
    }
}

/// A store that waits until it is opened, and whose numbers depend on the reports only.
private final class GatedStore: ReportStore {
    private struct State {
        var sizes: [Int] = []
        var failure: ReportCollectorError?
    }

    private let state = Mutex(State())
    private let gate = AsyncStream.makeStream(of: Void.self)
    private let begin = AsyncStream.makeStream(of: Void.self)

    /// The sizes of the stored batches.
    var sizes: [Int] { state.withLock { $0.sizes } }

    static func number(of report: IncomingReport) -> Int64 {
        report.digest.prefix(7).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Lets all batches pass.
    func open() { gate.continuation.finish() }

    /// Returns when a batch has begun.
    func begun() async { for await _ in begin.stream { return } }

    func fail(_ failure: ReportCollectorError?) { state.withLock { $0.failure = failure } }

    func add(
        _ batch: [IncomingReport], limits: ReportCollectorLimits
    ) async throws(ReportCollectorError) -> [ReportOutcome] {
        begin.continuation.yield()
        for await _ in gate.stream {}
        if let failure = state.withLock({ $0.failure }) { throw failure }
        state.withLock { $0.sizes.append(batch.count) }
        return batch.map { .stored(Self.number(of: $0)) }
    }

    func page(_ query: ReportQuery) async throws(ReportCollectorError) -> ReportPage {
        ReportPage([], limit: 0)
    }
    func report(_ id: Int64) async throws(ReportCollectorError) -> StoredReportWithBody? { nil }
    func summary(_ filter: ReportFilter) async throws(ReportCollectorError) -> ReportSummary {
        ReportSummary(rows: [], isCut: false, reports: 0, bytes: 0)
    }
    func incidents(_ query: IncidentQuery) async throws(ReportCollectorError) -> IncidentPage {
        IncidentPage([], limit: 0)
    }
    func incident(_ id: Int64) async throws(ReportCollectorError) -> IncidentDetail? { nil }
    func change(
        _ id: Int64, to state: IncidentState, by person: String, at time: Timestamp
    ) async throws(ReportCollectorError) -> Bool { false }
    func rollout(_ id: RolloutID) async throws(ReportCollectorError) -> RolloutRecord { RolloutRecord() }
    func change(_ id: RolloutID, _ change: RolloutChange) async throws(ReportCollectorError) -> RolloutRecord {
        RolloutRecord()
    }
    func beginNotices(at now: Timestamp) async throws(ReportCollectorError) {}
    func claimNotices(at now: Timestamp) async throws(ReportCollectorError) -> [WebhookNotice] { [] }
    func settle(
        _ notice: WebhookNotice, _ settlement: WebhookNotice.Settlement
    ) async throws(ReportCollectorError) {}
    func totals(at now: Timestamp) async throws(ReportCollectorError) -> ReportTotals {
        ReportTotals(reports: 0, bytes: 0, incidents: [:], lastMinute: 0, lastHour: 0)
    }
    func expire(at now: Timestamp, limits: ReportCollectorLimits) async throws(ReportCollectorError) {}
    func hosts(
        withRoot root: String, since time: Timestamp, limit: Int
    ) async throws(ReportCollectorError) -> [String] { [] }
    func isReady() async -> Bool { true }
    func close() async {}
}
