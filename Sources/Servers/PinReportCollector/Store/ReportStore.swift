package import HoldfastTrust
package import PinReports

/// Storage of reports and incidents. All methods suspend; none blocks the cooperative pool.
package protocol ReportStore: Sendable {
    /// Stores a batch in one transaction, which is on the disk when the method returns. A report whose identity is
    /// known is not stored or counted again, whichever collector received it. Identities outlive the reports.
    ///
    /// - Returns: The outcome of each report, in the order of the batch.
    func add(
        _ batch: [IncomingReport], limits: ReportCollectorLimits
    ) async throws(ReportCollectorError) -> [ReportOutcome]

    /// Returns a page of reports, newest first.
    func page(_ query: ReportQuery) async throws(ReportCollectorError) -> ReportPage

    /// Returns a report; `nil` if it does not exist.
    func report(_ id: Int64) async throws(ReportCollectorError) -> StoredReportWithBody?

    /// Returns the number of stored reports for each host, result and day (UTC), latest days first.
    func summary(_ filter: ReportFilter) async throws(ReportCollectorError) -> ReportSummary

    /// Returns a page of incidents, those with the newest reports first.
    func incidents(_ query: IncidentQuery) async throws(ReportCollectorError) -> IncidentPage

    /// Returns an incident; `nil` if it does not exist.
    func incident(_ id: Int64) async throws(ReportCollectorError) -> IncidentDetail?

    /// Changes the state of an incident for a person.
    ///
    /// - Returns: Whether the state was changed. It is not if the incident does not exist, or if
    ///   ``IncidentState/allows(_:)`` refuses the change.
    func change(
        _ id: Int64, to state: IncidentState, by person: String, at time: Timestamp
    ) async throws(ReportCollectorError) -> Bool

    /// Returns what is stored about a roll-out: the counts of ``IncomingReport/rolloutMarks``, and the decision.
    func rollout(_ id: RolloutID) async throws(ReportCollectorError) -> RolloutRecord

    /// Changes what is stored about a roll-out, and returns it. If several collectors make the same change, the first
    /// one has an effect.
    func change(_ id: RolloutID, _ change: RolloutChange) async throws(ReportCollectorError) -> RolloutRecord

    /// Records that the changes of incidents from now on are for a webhook. Only the first call of all collectors has
    /// an effect: it removes the notices of earlier changes. Later calls keep them, because they wait for a delivery.
    func beginNotices(at now: Timestamp) async throws(ReportCollectorError)

    /// Claims at most ``WebhookNotice/claimLimit`` notices that are due. Until the lease ends or ``settle(_:_:)`` is
    /// called, no other call returns them, in no collector.
    ///
    /// One half has the incidents with the most reports, the other half the earliest changes. Forged incidents can
    /// therefore delay a notice, but not suppress it.
    func claimNotices(at now: Timestamp) async throws(ReportCollectorError) -> [WebhookNotice]

    /// Ends the claim of a notice. A later change of the same incident is not affected.
    func settle(
        _ notice: WebhookNotice, _ settlement: WebhookNotice.Settlement
    ) async throws(ReportCollectorError)

    /// Returns the numbers of stored reports and of incidents.
    func totals(at now: Timestamp) async throws(ReportCollectorError) -> ReportTotals

    /// Returns the hosts of recent incidents whose chain names a root, at most `limit` of them, in their order.
    func hosts(
        withRoot root: String, since time: Timestamp, limit: Int
    ) async throws(ReportCollectorError) -> [String]

    /// Removes reports, identities, notices and incidents that are older, or more, than the limits allow.
    func expire(at now: Timestamp, limits: ReportCollectorLimits) async throws(ReportCollectorError)

    /// Returns whether the database answers.
    func isReady() async -> Bool

    /// Ends the store. Later calls throw.
    func close() async
}

/// The result of storing one report.
package enum ReportOutcome: Hashable, Sendable {
    /// The report is on the disk under this number.
    case stored(Int64)
    /// The report was already stored. It may have been removed meanwhile.
    case repeated(Int64)
    /// Another report with the same identifier was stored.
    case conflicting
}

/// A page of reports.
package struct ReportPage: Hashable, Sendable {
    package var reports: [StoredReport]
    /// The value of ``ReportQuery/before`` for the next page; `nil` on the last page.
    package var next: Int64?

    /// Creates a page of at most `limit` reports. `found` has one more if there is another page.
    init(_ found: [StoredReport], limit: Int) {
        reports = Array(found.prefix(limit))
        next = found.count > limit ? reports.last?.id : nil
    }
}

/// A stored report with the received bytes.
package struct StoredReportWithBody: Hashable, Sendable {
    package var report: StoredReport
    /// The received bytes; `nil` if they were left out under overload.
    package var body: [UInt8]?

    package init(report: StoredReport, body: [UInt8]?) {
        self.report = report
        self.body = body
    }
}

/// Numbers for an overview.
package struct ReportTotals: Hashable, Sendable {
    /// The number of stored reports.
    package var reports: Int
    /// The approximate size of the stored reports in bytes.
    package var bytes: Int64
    /// The number of incidents in each state; a state without incidents is left out.
    package var incidents: [IncidentState: Int]
    /// The number of stored identities.
    package var identities: Int
    /// The time of arrival of the oldest stored identity; `nil` without one.
    package var oldestIdentity: Timestamp?
    /// The number of changes of incidents that a webhook has not received.
    package var notices: Int
    /// The number of stored reports that arrived in the last 60 seconds. Counted by ten seconds.
    package var lastMinute: Int
    /// The number of stored reports that arrived in the last 3,600 seconds. Counted by ten seconds.
    package var lastHour: Int

    package init(
        reports: Int, bytes: Int64, incidents: [IncidentState: Int], lastMinute: Int, lastHour: Int,
        identities: Int = 0, oldestIdentity: Timestamp? = nil, notices: Int = 0
    ) {
        self.reports = reports
        self.bytes = bytes
        self.incidents = incidents
        self.lastMinute = lastMinute
        self.lastHour = lastHour
        self.identities = identities
        self.oldestIdentity = oldestIdentity
        self.notices = notices
    }
}
