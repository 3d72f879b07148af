import HoldfastBase
import HoldfastSystem
import HoldfastTrust
import Synchronization

/// Decides about reports and stores them. Keeps the ledger, the queue and the disk consistent. All methods block.
final class ReportBacklog: Sendable {
    /// The next task of the sender.
    enum Work: Sendable {
        /// Send this report.
        case send(ReportDelivery)
        /// Wait for this number of seconds, or for a new report.
        case wait(Int64)
        /// Wait for a new report.
        case rest
    }

    private let configuration: PinFailureReporter.Configuration
    private let spool: ReportSpool
    private let observer: ReportObserver
    private let sampling: ReportSampling
    private let entropy: @Sendable () -> UInt64
    private let identity: ReportIdentity
    /// The lock on the folder, held while reports are sent from it.
    private let claim: FileClaim
    private let state: Mutex<ReporterMachine>

    /// Locks the folder and loads its reports.
    init(
        _ configuration: PinFailureReporter.Configuration, observer: ReportObserver,
        sampling: ReportSampling = ReportSampling(), entropy: @escaping @Sendable () -> UInt64
    ) throws(ReporterError) {
        let spool = ReportSpool(folder: configuration.folder, limits: configuration.limits)
        let start: Start?
        do throws(FileStore.Failure) {
            start = try Self.start(spool, configuration, observer: observer, entropy: entropy)
        } catch {
            throw ReporterError(
                .folder, "Reports cannot be stored in \(Printable.text(spool.folder)): \(error.reason).")
        }
        guard let start else {
            throw ReporterError(
                .folderInUse, "The folder \(Printable.text(spool.folder)) is in use by another reporter.")
        }
        self.configuration = configuration
        self.spool = spool
        self.observer = observer
        self.sampling = sampling
        self.entropy = entropy
        self.identity = start.identity
        self.claim = start.claim
        self.state = Mutex(start.machine)
        observer.moved(by: start.machine.queue.entries.count)
    }

    /// Releases the folder. This is explicit, because other references may keep the object alive longer. No method may
    /// be called afterwards.
    func close() {
        observer.moved(by: -state.withLock { $0.queue.entries.count })
        claim.release()
    }

    private struct Start {
        var claim: FileClaim
        var identity: ReportIdentity
        var machine: ReporterMachine
    }

    /// Returns `nil` if another reporter uses the folder.
    private static func start(
        _ spool: ReportSpool, _ configuration: PinFailureReporter.Configuration, observer: ReportObserver,
        entropy: () -> UInt64
    ) throws(FileStore.Failure) -> Start? {
        guard let claim = try spool.claim() else { return nil }
        var queue = ReportQueue(limits: configuration.limits, backoff: configuration.backoff)
        let contents = try spool.load()
        for reason in contents.corrupt { observer.happened(.corrupt, reason: reason) }
        for entry in contents.waiting where !queue.restore(entry) {
            observer.happened(.full, reason: "the stored reports exceed the limits")
            try spool.remove(entry.id)
        }
        let memory = try spool.memory()
        var identity = configuration.identity
        if identity.vendorID.isEmpty {
            let (name, problem) = spool.installation { ReportDelivery.id(entropy(), entropy()) }
            identity.vendorID = name
            if let problem { observer.notRemembered(problem) }
        }
        let ledger = ReportLedger(limits: configuration.ledger, state: memory ?? [])
        return Start(claim: claim, identity: identity, machine: ReporterMachine(ledger: ledger, queue: queue))
    }

    // MARK: Taking

    /// Decides about failures and stores the reports to send. Returns whether there are any.
    func admit(_ reports: [PinFailureReport], lost: Int) -> Bool {
        observer.happened(.overflow, count: lost, reason: "\(lost) failures arrived faster than they could be stored")
        guard !reports.isEmpty else { return false }
        return state.withLock { machine in
            let count = machine.queue.entries.count
            for report in reports { admit(report, &machine) }
            observer.moved(by: machine.queue.entries.count - count)
            remember(&machine)
            return machine.queue.entries.count > count
        }
    }

    /// Saves the ledger after the reports: a crash in between may send a report twice, but loses none. Known failures
    /// do not change the ledger, so a flood of them causes no writes.
    private func remember(_ machine: inout ReporterMachine) {
        guard machine.isLedgerOwed else { return }
        do throws(FileStore.Failure) {
            try spool.saveMemory(machine.ledger.state)
            machine.wroteLedger()
        } catch {
            observer.notRemembered(error.reason)
        }
    }

    private func admit(_ report: PinFailureReport, _ machine: inout ReporterMachine) {
        let now = configuration.clock.now()
        switch machine.failed(ReportSubject(report), at: now, entropy: entropy()) {
        case .ignore(let event): observer.happened(event)
        case .report(let admitted):
            var isKept = false
            for delivery in deliveries(of: report, at: now) where keep(delivery, &machine) { isKept = true }
            // A report that was not stored does not count as sent, so that a later failure is reported when there is
            // room.
            if isKept { machine.placed(admitted) }
        }
    }

    private func keep(_ delivery: ReportDelivery, _ machine: inout ReporterMachine) -> Bool {
        let entry = ReportQueue.Entry(delivery, size: delivery.file.count)
        let host = Self.host(delivery.url)
        guard let displaced = machine.displaced(by: entry.size, about: entry.about) else {
            observer.happened(.full, host: host, reason: "the limit of waiting reports is reached")
            return false
        }
        do throws(FileStore.Failure) {
            try spool.save(delivery)
        } catch {
            // If only the last step of the write failed, the file exists and would be sent after the next start.
            try? spool.remove(delivery.id)
            observer.happened(.notKept, host: host, reason: error.reason)
            return false
        }
        for old in displaced {
            remove(old.id)
            observer.happened(
                .full, host: Self.host(old.url), reason: "replaced by a report about a host with fewer reports")
        }
        machine.place(entry, displacing: displaced)
        observer.happened(.kept, host: host)
        return true
    }

    /// Returns a report in each format for each address.
    private func deliveries(of report: PinFailureReport, at now: Timestamp) -> [ReportDelivery] {
        var known: Set<String> = []
        return report.destinations.filter { known.insert($0).inserted }.flatMap { url -> [ReportDelivery] in
            guard Self.mayReceive(url) else {
                observer.happened(
                    .badDestination, host: Self.host(url), reason: "the address must use https, or name this machine")
                return []
            }
            let endpoint = configuration.endpoints[url]
            let formats = endpoint?.formats ?? configuration.formats
            var redaction = endpoint?.redaction ?? configuration.redaction
            if sampling.isReduced(url, entropy: entropy) { redaction.insert(.chain) }
            return ReportFormat.allCases.filter(formats.contains).compactMap { [redaction] format in
                guard let body = body(of: report, format, redaction) else {
                    observer.happened(
                        .tooLarge, host: Self.host(url), reason: "more than \(spool.limits.reportBytes) bytes")
                    return nil
                }
                return ReportDelivery(
                    id: ReportDelivery.id(entropy(), entropy()), url: url,
                    about: ReportDelivery.about(report.pinning.notedHost), created: now, body: body)
            }
        }
    }

    /// Returns the JSON, without certificates if it would otherwise be too large.
    private func body(of report: PinFailureReport, _ format: ReportFormat, _ redaction: ReportRedaction) -> String? {
        for redaction in [redaction, redaction.union(.certificates)] {
            let text =
                switch format {
                case .trustKit:
                    report.trustKitJSON(
                        from: identity, redaction: redaction, policyVersion: configuration.policyVersion?())
                case .hpkp: report.hpkpJSON(redaction: redaction)
                }
            if text.utf8.count <= spool.limits.reportBytes { return text }
        }
        return nil
    }

    /// Returns whether reports may be sent to an address. A report names certificates and possibly an intercepting
    /// party, so it must not be sent in cleartext.
    static func mayReceive(_ url: String) -> Bool {
        guard let url = try? RequestURL(url) else { return false }
        return url.scheme == .https || (url.scheme == .http && url.host.isLoopback)
    }

    /// Returns the host of an address. Paths and queries of collectors may contain tokens and must not be logged.
    static func host(_ url: String) -> String {
        (try? RequestURL(url))?.host.text ?? "an invalid address"
    }

    // MARK: Sending

    /// Returns the next task of the sender.
    func next() -> Work {
        state.withLock { machine in
            while true {
                switch machine.next(at: configuration.clock.now()) {
                case .send(let entry):
                    if let delivery = read(entry, &machine) { return .send(delivery) }
                case .drop(let entry): removed(entry, .expired, "tried \(entry.tries) times since \(entry.created)")
                case .wait(let seconds): return .wait(seconds)
                case .rest: return .rest
                }
            }
        }
    }

    /// Returns the report; `nil` if it is missing or cannot be read at the moment.
    private func read(_ entry: ReportQueue.Entry, _ machine: inout ReporterMachine) -> ReportDelivery? {
        let reason: String
        do throws(FileStore.Failure) {
            switch try spool.read(entry.id) {
            case .report(let delivery, _): return delivery
            case .corrupt(let why): reason = why
            case .missing: reason = "the file is missing"
            }
        } catch {
            machine.unreadable(entry.id, at: configuration.clock.now())
            observer.happened(.postponed, host: Self.host(entry.url), reason: error.reason)
            return nil
        }
        machine.forget(entry.id)
        removed(entry, .corrupt, reason)
        return nil
    }

    /// Processes the end of an attempt. `reason` describes a failure.
    func ended(_ delivery: ReportDelivery, _ outcome: ReportQueue.Outcome, reason: String) {
        state.withLock { machine in
            let host = Self.host(delivery.url)
            switch machine.ended(delivery.id, outcome, at: configuration.clock.now(), entropy: entropy()) {
            case .nothing: break
            case .remove:
                observer.moved(by: -1)
                remove(delivery.id)
                observer.happened(outcome == .sent ? .sent : .refused, host: host, reason: reason)
            case .keep(let entry):
                var delivery = delivery
                delivery.attempts = entry.attempts
                delivery.tries = entry.tries
                delivery.due = entry.due
                // If the write fails, the old file remains, and the report may be sent once more than permitted.
                do throws(FileStore.Failure) { try spool.save(delivery) } catch { observer.notRemembered(error.reason) }
                observer.happened(.postponed, host: host, reason: reason)
            }
        }
    }

    private func removed(_ entry: ReportQueue.Entry, _ event: ReportEvent, _ reason: String) {
        observer.moved(by: -1)
        remove(entry.id)
        observer.happened(event, host: Self.host(entry.url), reason: reason)
    }

    private func remove(_ id: String) {
        do throws(FileStore.Failure) { try spool.remove(id) } catch { observer.notRemembered(error.reason) }
    }
}
