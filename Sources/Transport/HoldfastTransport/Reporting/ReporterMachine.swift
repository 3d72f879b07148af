package import HoldfastTrust

/// Decides which failures are reported, which reports wait, and when each is sent. It does not access a clock, a disk,
/// a network or a random number generator.
///
/// It contains the ledger (repeated reports, limits for each hour, sampling) and the queue (places, order, back-off).
/// ``PinFailureReporter`` drives it for one app, and the fleet simulation for millions.
package struct ReporterMachine: Hashable, Sendable {
    /// The decision about a failure.
    package enum Decision: Hashable, Sendable {
        /// Write the reports, place them with `place`, and call `placed` if at least one has a place.
        case report(Admitted)
        /// Do not report the failure, for this reason.
        case ignore(ReportEvent)
    }

    /// A failure to report. The ledger remembers it only after one of its reports has a place: otherwise a later
    /// failure is reported when there is room.
    package struct Admitted: Hashable, Sendable {
        fileprivate var ledger: ReportLedger
    }

    /// The decisions about earlier failures.
    package private(set) var ledger: ReportLedger
    /// Whether the ledger has changes that are not on disk.
    package private(set) var isLedgerOwed = false
    /// The waiting reports.
    package private(set) var queue: ReportQueue

    /// Creates a machine. `ledger` and `queue` contain what an earlier process stored.
    package init(ledger: ReportLedger, queue: ReportQueue) {
        self.ledger = ledger
        self.queue = queue
    }

    // MARK: Failures

    /// Decides about a failure. `entropy` is a fresh random number.
    package mutating func failed(_ subject: ReportSubject, at now: Timestamp, entropy: UInt64) -> Decision {
        var ledger = ledger
        switch ledger.admit(subject, at: now, entropy: entropy) {
        case .duplicate: return .ignore(.duplicate)
        case .rateLimited: return .ignore(.rateLimited)
        case .sampledOut:
            self.ledger = ledger
            isLedgerOwed = true
            return .ignore(.sampledOut)
        case .send: return .report(Admitted(ledger: ledger))
        }
    }

    /// Returns the waiting reports to remove for a new report: none if there is room, or `nil` if the new report must
    /// be dropped.
    package func displaced(by size: Int, about host: String) -> [ReportQueue.Entry]? {
        queue.displaced(by: size, about: host)
    }

    /// Adds a written report, after the reports that it displaces were removed.
    package mutating func place(_ entry: ReportQueue.Entry, displacing displaced: [ReportQueue.Entry]) {
        for old in displaced { queue.forget(old.id) }
        _ = queue.add(entry)
    }

    /// Remembers a failure of which at least one report has a place.
    package mutating func placed(_ admitted: Admitted) {
        ledger = admitted.ledger
        isLedgerOwed = true
    }

    /// Records that the ledger is on disk.
    package mutating func wroteLedger() {
        isLedgerOwed = false
    }

    // MARK: Sending

    /// Returns the next step of the sender.
    package mutating func next(at now: Timestamp) -> ReportQueue.Step {
        queue.next(at: now)
    }

    /// Processes the end of an attempt. `entropy` is a fresh random number.
    package mutating func ended(
        _ id: String, _ outcome: ReportQueue.Outcome, at now: Timestamp, entropy: UInt64
    ) -> ReportQueue.Consequence {
        queue.ended(id, outcome, at: now, entropy: entropy)
    }

    /// Delays a report that cannot be read from disk.
    package mutating func unreadable(_ id: String, at now: Timestamp) {
        queue.postpone(id, until: now.advanced(bySeconds: Self.unreadableWait))
    }

    /// Removes a report whose file is missing or invalid.
    package mutating func forget(_ id: String) {
        queue.forget(id)
    }

    /// The wait before a report that cannot be read from disk is tried again, in seconds.
    private static let unreadableWait: Int64 = 60
}
