import Synchronization

/// Stores the reports of concurrent requests in batches. A request waits until its batch is committed.
final class ReportIntake: Sendable {
    private struct Waiting: Sendable {
        let report: IncomingReport
        let answer: CheckedContinuation<Result<ReportOutcome, ReportCollectorError>, Never>
    }

    private let store: any ReportStore
    private let limits: ReportCollectorLimits
    private let queue: Mutex<ReportBatcher<Waiting>>
    /// Wakes ``run()``. Several signals count as one.
    private let signals = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The number of reports that wait for a batch.
    var count: Int { queue.withLock { $0.count } }

    /// Creates an intake that stores at most `concurrency` batches at the same time.
    init(store: any ReportStore, limits: ReportCollectorLimits, concurrency: Int) {
        self.store = store
        self.limits = limits
        queue = Mutex(
            ReportBatcher(
                entryLimit: limits.queuedReports, byteLimit: limits.queuedBytes, concurrency: concurrency))
    }

    /// Stores a report with others and returns its outcome once it is committed.
    ///
    /// The call ends when its batch ends, even if the task is cancelled: the batch also serves other senders.
    ///
    /// - Throws: ``ReportCollectorError/Code/overloaded`` if too many reports wait, or the store's error.
    func add(_ report: IncomingReport) async throws(ReportCollectorError) -> ReportOutcome {
        let result: Result<ReportOutcome, ReportCollectorError> = await withCheckedContinuation { answer in
            let waiting = Waiting(report: report, answer: answer)
            switch queue.withLock({ $0.add(waiting, bytes: report.size) }) {
            case .added: signals.continuation.yield()
            case .full:
                let reason = "Too many reports wait for the database."
                answer.resume(returning: .failure(ReportCollectorError(.overloaded, reason)))
            case .closed: answer.resume(returning: .failure(Self.ended))
            }
        }
        return try result.get()
    }

    /// Stores batches until the task is cancelled. Reports that then still wait are refused.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await _ in signals.stream {
                while let batch = queue.withLock({ $0.take() }) {
                    group.addTask { await self.store(batch) }
                }
            }
        }
        for waiting in queue.withLock({ $0.close() }) { waiting.answer.resume(returning: .failure(Self.ended)) }
    }

    private func store(_ batch: [Waiting]) async {
        do throws(ReportCollectorError) {
            let outcomes = try await store.add(batch.map(\.report), limits: limits)
            for (index, waiting) in batch.enumerated() {
                let outcome = outcomes.indices.contains(index) ? outcomes[index] : nil
                waiting.answer.resume(returning: outcome.map { .success($0) } ?? .failure(Self.ended))
            }
        } catch {
            for waiting in batch { waiting.answer.resume(returning: .failure(error)) }
        }
        queue.withLock { $0.ended() }
        signals.continuation.yield()
    }

    private static var ended: ReportCollectorError {
        ReportCollectorError(.databaseWriteFailed, "The collector has ended.")
    }
}
