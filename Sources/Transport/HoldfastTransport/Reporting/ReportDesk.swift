import HoldfastBase
import HoldfastSystem
import HoldfastTrust
import Synchronization

/// Decides about reports and keeps them: ledger, queue and disk, in step. Its calls block, and are made from threads that may.
final class ReportDesk: Sendable {
    /// What the sender has to do.
    enum Work: Sendable {
        /// Send this one.
        case send(ReportDelivery)
        /// Wait so many seconds, unless something new comes.
        case wait(Int64)
        /// Wait until something comes.
        case rest
    }

    private struct State {
        var ledger: ReportLedger
        /// Whether the ledger has something to remember that is not on the disk.
        var isLedgerOwed = false
        var queue: ReportQueue
    }

    /// How long a report is left alone that the disk does not hand out.
    private static let unreadableWait: Int64 = 60

    private let configuration: PinFailureReporter.Configuration
    private let spool: ReportSpool
    private let observer: ReportObserver
    private let entropy: @Sendable () -> UInt64
    private let identity: ReportIdentity
    /// Held for as long as reports are sent from the folder.
    private let claim: FileClaim
    private let state: Mutex<State>

    /// Claims the folder, and takes up what waits in it.
    init(
        _ configuration: PinFailureReporter.Configuration, observer: ReportObserver,
        entropy: @escaping @Sendable () -> UInt64
    ) throws(ReporterError) {
        let spool = ReportSpool(folder: configuration.folder, limits: configuration.limits)
        let start: Start?
        do throws(FileStore.Failure) {
            start = try Self.start(spool, configuration, observer: observer, entropy: entropy)
        } catch {
            throw ReporterError(.folder, "Reports cannot be kept in \(Printable.text(spool.folder)): \(error.reason).")
        }
        guard let start else {
            throw ReporterError(
                .folderInUse, "Reports are sent from \(Printable.text(spool.folder)) already, by somebody else.")
        }
        self.configuration = configuration
        self.spool = spool
        self.observer = observer
        self.entropy = entropy
        self.identity = start.identity
        self.claim = start.claim
        self.state = Mutex(start.state)
        observer.moved(by: start.state.queue.entries.count)
    }

    /// Gives the folder back. Not left to the end of the object, which others may hold for a moment longer. Nothing is called after it.
    func close() {
        observer.moved(by: -state.withLock { $0.queue.entries.count })
        claim.release()
    }

    private struct Start {
        var claim: FileClaim
        var identity: ReportIdentity
        var state: State
    }

    /// `nil` if somebody else has the folder.
    private static func start(
        _ spool: ReportSpool, _ configuration: PinFailureReporter.Configuration, observer: ReportObserver,
        entropy: () -> UInt64
    ) throws(FileStore.Failure) -> Start? {
        guard let claim = try spool.claim() else { return nil }
        var queue = ReportQueue(limits: configuration.limits, backoff: configuration.backoff)
        let contents = try spool.load()
        for reason in contents.corrupt { observer.happened(.corrupt, reason: reason) }
        for entry in contents.waiting where !queue.restore(entry) {
            observer.happened(.full, reason: "the limits are smaller than what waits")
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
        return Start(claim: claim, identity: identity, state: State(ledger: ledger, queue: queue))
    }

    // MARK: Taking

    /// Decides about failures, and keeps what is to be sent. Returns whether anything is.
    func admit(_ reports: [PinFailureReport], lost: Int) -> Bool {
        observer.happened(.overflow, count: lost, reason: "\(lost) failures came faster than they could be kept")
        guard !reports.isEmpty else { return false }
        return state.withLock { state in
            let count = state.queue.entries.count
            for report in reports { admit(report, &state) }
            observer.moved(by: state.queue.entries.count - count)
            remember(&state)
            return state.queue.entries.count > count
        }
    }

    /// Behind the reports: a crash between the two may send one twice, and loses none. Not for a failure that is known already: in a
    /// flood of these the disk would have nothing else to do.
    private func remember(_ state: inout State) {
        guard state.isLedgerOwed else { return }
        do throws(FileStore.Failure) {
            try spool.saveMemory(state.ledger.state)
            state.isLedgerOwed = false
        } catch {
            observer.notRemembered(error.reason)
        }
    }

    private func admit(_ report: PinFailureReport, _ state: inout State) {
        let now = configuration.clock.now()
        var ledger = state.ledger
        switch ledger.admit(report, at: now, entropy: entropy()) {
        case .duplicate: observer.happened(.duplicate)
        case .rateLimited: observer.happened(.rateLimited)
        case .sampledOut:
            state.ledger = ledger
            state.isLedgerOwed = true
            observer.happened(.sampledOut)
        case .send:
            var isKept = false
            for delivery in deliveries(of: report, at: now) where keep(delivery, &state) { isKept = true }
            // What was not kept does not count as sent: when it happens again, there may be room.
            guard isKept else { return }
            state.ledger = ledger
            state.isLedgerOwed = true
        }
    }

    private func keep(_ delivery: ReportDelivery, _ state: inout State) -> Bool {
        let entry = ReportQueue.Entry(delivery, size: delivery.file.count)
        let host = Self.host(delivery.url)
        guard let displaced = state.queue.displaced(by: entry.size, about: entry.about) else {
            observer.happened(.full, host: host, reason: "as much is waiting as may")
            return false
        }
        do throws(FileStore.Failure) {
            try spool.save(delivery)
        } catch {
            // Where the last step of the writing failed, the file is there: it would be sent after the next start.
            try? spool.remove(delivery.id)
            observer.happened(.notKept, host: host, reason: error.reason)
            return false
        }
        for old in displaced {
            state.queue.forget(old.id)
            remove(old.id)
            observer.happened(
                .full, host: Self.host(old.url), reason: "a report about another host takes the place of one of many")
        }
        _ = state.queue.add(entry)
        observer.happened(.kept, host: host)
        return true
    }

    /// A report in each form for each address.
    private func deliveries(of report: PinFailureReport, at now: Timestamp) -> [ReportDelivery] {
        var known: Set<String> = []
        return report.destinations.filter { known.insert($0).inserted }.flatMap { url -> [ReportDelivery] in
            guard Self.mayReceive(url) else {
                observer.happened(
                    .badDestination, host: Self.host(url), reason: "reports go over https, or stay on this machine")
                return []
            }
            let endpoint = configuration.endpoints[url]
            let formats = endpoint?.formats ?? configuration.formats
            return ReportFormat.allCases.filter(formats.contains).compactMap { format in
                guard let body = body(of: report, format, endpoint?.redaction ?? configuration.redaction) else {
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

    /// The JSON; without certificates where it would be too large with them.
    private func body(of report: PinFailureReport, _ format: ReportFormat, _ redaction: ReportRedaction) -> String? {
        for redaction in [redaction, redaction.union(.certificates)] {
            let text =
                switch format {
                case .trustKit: report.trustKitJSON(from: identity, redaction: redaction)
                case .hpkp: report.hpkpJSON(redaction: redaction)
                }
            if text.utf8.count <= spool.limits.reportBytes { return text }
        }
        return nil
    }

    /// Whether an address may be told: what a certificate, or who inspects the traffic, is called is nobody's business on the way.
    static func mayReceive(_ url: String) -> Bool {
        guard let url = try? RequestURL(url) else { return false }
        return url.scheme == .https || (url.scheme == .http && url.host.isLoopback)
    }

    /// The host of an address. Paths and queries of collectors hold tokens, and are for no log.
    static func host(_ url: String) -> String {
        (try? RequestURL(url))?.host.text ?? "an address that is none"
    }

    // MARK: Sending

    /// What is to be done now.
    func next() -> Work {
        state.withLock { state in
            while true {
                switch state.queue.next(at: configuration.clock.now()) {
                case .send(let entry):
                    if let delivery = read(entry, &state) { return .send(delivery) }
                case .drop(let entry): removed(entry, .expired, "tried \(entry.tries) times since \(entry.created)")
                case .wait(let seconds): return .wait(seconds)
                case .rest: return .rest
                }
            }
        }
    }

    /// The report itself; `nil` if it is gone, or cannot be had just now.
    private func read(_ entry: ReportQueue.Entry, _ state: inout State) -> ReportDelivery? {
        let reason: String
        do throws(FileStore.Failure) {
            switch try spool.read(entry.id) {
            case .report(let delivery, _): return delivery
            case .corrupt(let why): reason = why
            case .missing: reason = "the file is gone"
            }
        } catch {
            state.queue.postpone(
                entry.id, until: configuration.clock.now().advanced(bySeconds: Self.unreadableWait))
            observer.happened(.postponed, host: Self.host(entry.url), reason: error.reason)
            return nil
        }
        state.queue.forget(entry.id)
        removed(entry, .corrupt, reason)
        return nil
    }

    /// An attempt has ended. `reason` says how, where it did not succeed.
    func ended(_ delivery: ReportDelivery, _ outcome: ReportQueue.Outcome, reason: String) {
        state.withLock { state in
            let host = Self.host(delivery.url)
            switch state.queue.ended(delivery.id, outcome, at: configuration.clock.now(), entropy: entropy()) {
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
                // The old file stays where the new one cannot be written: then it is tried once more than it may.
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
