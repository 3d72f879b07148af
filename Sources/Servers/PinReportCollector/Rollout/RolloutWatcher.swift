import HoldfastBase
import HoldfastTrust
import NIOPosix
import PinReportDesk
import PinReports
import Synchronization

/// What the collector knows about a roll-out.
struct RolloutStatus: Hashable, Sendable {
    var assessment: RolloutAssessment
    var stop: RolloutStop?
    var halt: HaltStatus
    /// Whether the store could not be read since.
    var isOutdated = false
}

/// Compares the failures of roll-outs with their baseline, and publishes a halt for each that must stop.
///
/// Several collectors that share a database come to the same decision and publish the same halt. The first one stores
/// them.
final class RolloutWatcher: Sendable {
    /// The time between two looks at the store.
    private static let lookInterval = Duration.seconds(2)
    /// The maximum number of steps of one look: sign, write and read again. After them, the halt counts as failed until
    /// a later look.
    private static let stepLimit = 4
    /// The number of looks after which an unchanged failure is an event again: about a minute.
    private static let looksPerEvent = 30

    private struct State {
        var statuses: [RolloutID: RolloutStatus] = [:]
        /// The number of looks since the last event about a failure.
        var silentLooks: [RolloutID: Int] = [:]
    }

    private let plans: [RolloutPlan]
    private let output: ReportHaltOutput?
    private let entropy: UInt64
    private let clock: TrustClock
    private let store: any ReportStore
    private let write: @Sendable (HaltFile, BundleHalt) throws(HaltFile.Failure) -> Void
    private let onEvent: @Sendable (ReportCollectorEvent) -> Void
    private let onChange: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates a watcher of the configured roll-outs.
    ///
    /// - Parameters:
    ///   - write: Writes the halt file. Blocks.
    ///   - onEvent: Called with each event.
    ///   - onChange: Called when a status has changed.
    init(
        _ configuration: ReportCollectorConfiguration, store: any ReportStore,
        write: @escaping @Sendable (HaltFile, BundleHalt) throws(HaltFile.Failure) -> Void = {
            file, halt throws(HaltFile.Failure) in
            try file.write(halt)
        },
        onEvent: @escaping @Sendable (ReportCollectorEvent) -> Void, onChange: @escaping @Sendable () -> Void = {}
    ) {
        plans = configuration.desk.rollouts.map(\.plan)
        output = configuration.desk.haltOutput
        entropy = output == nil ? 0 : configuration.entropy()
        clock = configuration.clock
        self.store = store
        self.write = write
        self.onEvent = onEvent
        self.onChange = onChange
    }

    /// The roll-outs in the order of the configuration, with their status after the first look.
    var rollouts: [(plan: RolloutPlan, status: RolloutStatus?)] {
        let statuses = state.withLock { $0.statuses }
        return plans.map { ($0, statuses[$0.id]) }
    }

    /// The id of the halt key.
    var keyID: String? { output?.signer.id }

    /// The number of roll-outs in each state, by the name of the state.
    var counts: [String: Int64] {
        var counts = Dictionary(uniqueKeysWithValues: HaltStatus.labels.map { ($0, Int64(0)) })
        for (_, status) in rollouts { counts[status?.halt.label ?? HaltStatus.running.label, default: 0] += 1 }
        return counts
    }

    /// Looks at the roll-outs until the task is cancelled.
    func run() async {
        while !Task.isCancelled, !plans.isEmpty {
            await look()
            try? await Task.sleep(for: Self.lookInterval)  // reason: other collectors do not tell about changes
        }
    }

    /// Looks at each roll-out once.
    func look() async {
        for plan in plans {
            do throws(ReportCollectorError) {
                note(try await status(of: plan, at: clock.now()), of: plan)
            } catch {
                guard !Task.isCancelled else { return }
                noteUnreadable(plan, error)
            }
        }
    }

    private func status(of plan: RolloutPlan, at now: Timestamp) async throws(ReportCollectorError) -> RolloutStatus {
        var record = try await store.rollout(plan.id)
        let assessment = RolloutAssessment(plan, record.counts, at: now)
        if record.stop == nil, now < plan.end, let stop = assessment.stop(at: now) {
            record = try await store.change(plan.id, .stop(stop))
        }
        let halt = try await halt(plan, record, at: now)
        return RolloutStatus(assessment: assessment, stop: record.stop, halt: halt)
    }

    // MARK: The halt

    private func halt(
        _ plan: RolloutPlan, _ record: RolloutRecord, at now: Timestamp
    ) async throws(ReportCollectorError) -> HaltStatus {
        guard let output, record.stop != nil else { return Self.statusWithoutKey(plan, record, at: now) }
        let file = HaltFile(output, application: plan.id.application, entropy: entropy)
        var record = record
        for _ in 0..<Self.stepLimit {
            switch await Self.onThread({ () throws(HaltFile.Failure) in try file.read() }) {
            case .failure(let failure): return .failed(failure.reason)
            case .success(let found):
                let stored = record.halt.flatMap { output.verified($0, application: plan.id.application) }
                let machine = HaltMachine(plan: plan, record: record, stored: stored, file: found, now: now)
                switch machine.next() {
                case .done(let status): return status
                case .blocked(let reason): return .failed(reason)
                case .release: record = try await store.change(plan.id, .release(now))
                case .sign(let serial, let notAfter):
                    let signed = await Self.onThread { () throws(HaltFile.Failure) in
                        try file.sign(version: plan.id.version, issued: now, notAfter: notAfter, serial: serial)
                    }
                    guard case .success(let halt) = signed else { return Self.failed(signed) }
                    // Another collector may have been faster. The record then has its halt.
                    record = try await store.change(
                        plan.id, .halt(halt.bytes, serial: serial, replacing: record.haltSerial))
                case .write(let halt):
                    let written = await Self.onThread { [write] () throws(HaltFile.Failure) in
                        try write(file, halt)
                    }
                    guard case .success = written else { return Self.failed(written) }
                    onEvent(.haltPublished(.init(plan.id), until: halt.notAfter))
                }
            }
        }
        return .failed("The halt file changes at the same time. It is written again later.")
    }

    private static func failed<Value>(_ result: Result<Value, HaltFile.Failure>) -> HaltStatus {
        if case .failure(let failure) = result { .failed(failure.reason) } else { .failed("The cause is unknown.") }
    }

    /// Without a halt key, the halt is that of another collector, or a person signs it.
    private static func statusWithoutKey(
        _ plan: RolloutPlan, _ record: RolloutRecord, at now: Timestamp
    ) -> HaltStatus {
        guard now < plan.end else { return .over }
        guard record.stop != nil else { return .running }
        if let time = record.releasedAt { return .released(time) }
        if let bytes = record.halt, let halt = try? BundleHalt(unverified: bytes), halt.notAfter > now {
            return .published(until: halt.notAfter)
        }
        return .byHand
    }

    /// Runs work that blocks on a thread for it.
    private static func onThread<Value: Sendable>(
        _ work: @escaping @Sendable () throws(HaltFile.Failure) -> Value
    ) async -> Result<Value, HaltFile.Failure> {
        let result = try? await NIOThreadPool.singleton.runIfActive {
            Result<Value, HaltFile.Failure> { () throws(HaltFile.Failure) in try work() }
        }
        return result ?? .failure(HaltFile.Failure(reason: "The collector is ending."))
    }

    // MARK: Changes

    private func note(_ status: RolloutStatus, of plan: RolloutPlan) {
        let (before, isDue) = state.withLock { state in
            let before = state.statuses.updateValue(status, forKey: plan.id)
            guard case .failed = status.halt else {
                state.silentLooks[plan.id] = nil
                return (before, false)
            }
            let looks = before?.halt == status.halt ? (state.silentLooks[plan.id] ?? 0) + 1 : Self.looksPerEvent
            state.silentLooks[plan.id] = looks < Self.looksPerEvent ? looks : 0
            return (before, looks >= Self.looksPerEvent)
        }
        if let stop = status.stop, before?.stop == nil {
            onEvent(.rolloutStopped(.init(plan.id), reason: RolloutWords.sentence(stop)))
        }
        if isDue, case .failed(let reason) = status.halt { onEvent(.haltFailed(.init(plan.id), reason: reason)) }
        if before != status { onChange() }
    }

    private func noteUnreadable(_ plan: RolloutPlan, _ error: ReportCollectorError) {
        let isNew = state.withLock { state in
            guard var status = state.statuses[plan.id], !status.isOutdated else { return false }
            status.isOutdated = true
            state.statuses[plan.id] = status
            return true
        }
        guard isNew else { return }
        onEvent(.storageFailed(reason: Printable.text(error.reason)))
        onChange()
    }
}

extension ReportCollectorEvent.Rollout {
    init(_ id: RolloutID) {
        self.init(application: Printable.text(id.application), version: id.version)
    }
}
