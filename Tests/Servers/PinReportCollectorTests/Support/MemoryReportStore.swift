import HoldfastTrust
import PinReports
import Synchronization

@testable import PinReportCollector

/// A store in memory with the few methods that the desk uses. Reports are added with their incidents.
final class MemoryReportStore: ReportStore {
    private struct State {
        var incidents: [Int64: IncidentDetail] = [:]
        var reports: [Int64: StoredReportWithBody] = [:]
        var rollouts: [RolloutID: RolloutRecord] = [:]
        var notices: [WebhookNotice] = []
        var failure: ReportCollectorError?
        var reads = 0
    }

    private let state = Mutex(State())

    /// The number of calls that read.
    var reads: Int { state.withLock { $0.reads } }

    /// Makes every later call fail, until it is `nil` again.
    func fail(_ error: ReportCollectorError?) {
        state.withLock { $0.failure = error }
    }

    func put(_ detail: IncidentDetail) {
        state.withLock { $0.incidents[detail.summary.id] = detail }
    }

    func put(_ notice: WebhookNotice) {
        state.withLock { $0.notices.append(notice) }
    }

    func put(_ counts: [RolloutCount], of id: RolloutID) {
        state.withLock { $0.rollouts[id, default: RolloutRecord()].counts = counts }
    }

    func put(report id: Int64, body: [UInt8]?, receivedAt: Timestamp) {
        let report = StoredReport(id: id, receivedAt: receivedAt, details: "{}")
        state.withLock { $0.reports[id] = StoredReportWithBody(report: report, body: body) }
    }

    private func read<R: Sendable>(_ body: (State) -> R) throws(ReportCollectorError) -> R {
        let result: Result<R, ReportCollectorError> = state.withLock { state in
            state.reads += 1
            if let failure = state.failure { return .failure(failure) }
            return .success(body(state))
        }
        return try result.get()
    }

    // MARK: ReportStore

    func add(
        _ batch: [IncomingReport], limits: ReportCollectorLimits
    ) async throws(ReportCollectorError) -> [ReportOutcome] { try read { _ in [] } }

    func page(_ query: ReportQuery) async throws(ReportCollectorError) -> ReportPage {
        try read { _ in ReportPage([], limit: 0) }
    }

    func report(_ id: Int64) async throws(ReportCollectorError) -> StoredReportWithBody? {
        try read { $0.reports[id] }
    }

    func summary(_ filter: ReportFilter) async throws(ReportCollectorError) -> ReportSummary {
        ReportSummary(rows: [], isCut: false, reports: 0, bytes: 0)
    }

    func incidents(_ query: IncidentQuery) async throws(ReportCollectorError) -> IncidentPage {
        try read { state in
            let found = state.incidents.values.map(\.summary).filter { summary in
                (query.since.map { summary.lastSeen >= $0 } ?? true)
                    && (query.before.map { (summary.lastSeen, summary.id) < ($0.lastSeen, $0.id) } ?? true)
            }.sorted { ($0.lastSeen, $0.id) > ($1.lastSeen, $1.id) }
            return IncidentPage(found, limit: query.clampedLimit)
        }
    }

    func incident(_ id: Int64) async throws(ReportCollectorError) -> IncidentDetail? {
        try read { $0.incidents[id] }
    }

    func change(
        _ id: Int64, to state: IncidentState, by person: String, at time: Timestamp
    ) async throws(ReportCollectorError) -> Bool { false }

    func rollout(_ id: RolloutID) async throws(ReportCollectorError) -> RolloutRecord {
        try read { $0.rollouts[id] ?? RolloutRecord() }
    }

    func change(
        _ id: RolloutID, _ change: RolloutChange
    ) async throws(ReportCollectorError) -> RolloutRecord {
        let result: Result<RolloutRecord, ReportCollectorError> = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            var record = state.rollouts[id] ?? RolloutRecord()
            switch change {
            case .stop(let stop): record.stop = record.stop ?? stop
            case .halt(let bytes, let serial, let replacing) where record.haltSerial == replacing:
                (record.halt, record.haltSerial) = (bytes, serial)
            case .halt: break
            case .release(let time): record.releasedAt = record.releasedAt ?? time
            }
            state.rollouts[id] = record
            return .success(record)
        }
        return try result.get()
    }

    func beginNotices(at now: Timestamp) async throws(ReportCollectorError) { try read { _ in } }

    func claimNotices(at now: Timestamp) async throws(ReportCollectorError) -> [WebhookNotice] {
        try read { $0.notices }
    }

    func settle(
        _ notice: WebhookNotice, _ settlement: WebhookNotice.Settlement
    ) async throws(ReportCollectorError) {
        try read { _ in }
        state.withLock { $0.notices.removeAll { $0 == notice } }
    }

    func totals(at now: Timestamp) async throws(ReportCollectorError) -> ReportTotals {
        try read { ReportTotals(reports: $0.reports.count, bytes: 0, incidents: [:], lastMinute: 0, lastHour: 0) }
    }

    func hosts(
        withRoot root: String, since time: Timestamp, limit: Int
    ) async throws(ReportCollectorError) -> [String] {
        try read { state in
            let found = state.incidents.values.filter { detail in
                detail.summary.lastSeen >= time
                    && detail.samples.contains { sample in
                        let report = state.reports[sample]?.body.flatMap {
                            try? ReportReader.read($0, limits: PinReportLimits())
                        }
                        return report?.rootName == root
                    }
            }
            return Array(Set(found.map(\.summary.key.host)).sorted().prefix(limit))
        }
    }

    func expire(at now: Timestamp, limits: ReportCollectorLimits) async throws(ReportCollectorError) {}

    func isReady() async -> Bool { (try? read { _ in true }) ?? false }

    func close() async {}
}
