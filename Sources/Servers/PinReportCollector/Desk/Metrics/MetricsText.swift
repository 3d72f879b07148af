import HoldfastTrust
import PinReports

/// Metrics in the text format of Prometheus, version 0.0.4.
struct MetricsText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// Creates the metrics of a collector.
    ///
    /// - Parameters:
    ///   - counts: The counters since the start.
    ///   - totals: The numbers of the store; `nil` if it cannot be read.
    ///   - followers: The number of pages that follow the desk.
    ///   - hasWebhook: Whether the notices of the store are for a webhook of this collector.
    ///   - rollouts: The number of roll-outs in each state.
    ///   - now: The time, for the age of identities.
    init(
        _ counts: CollectorCounters.Counts, totals: ReportTotals?, followers: Int, hasWebhook: Bool,
        rollouts: [String: Int64] = [:], at now: Timestamp? = nil
    ) {
        add(
            "holdfast_collector_reports_total", "counter", "Accepted reports, by outcome.",
            [(["outcome": "stored"], counts.stored), (["outcome": "repeated"], counts.repeated)])
        let refused = counts.refused.sorted { ($0.key.status, $0.key.code) < ($1.key.status, $1.key.code) }
        add(
            "holdfast_collector_refused_total", "counter", "Refused requests, by HTTP status and code.",
            refused.map { (["status": String($0.key.status), "code": $0.key.code], $0.value) })
        add(
            "holdfast_collector_storage_failures_total", "counter", "Failed accesses to the database.",
            [([:], counts.storageFailures)])
        add(
            "holdfast_collector_dropped_events_total", "counter", "Events that were not delivered in time.",
            [([:], counts.droppedEvents)])
        add(
            "holdfast_webhook_deliveries_total", "counter", "Webhook deliveries, by outcome.",
            [(["outcome": "sent"], counts.webhooksSent), (["outcome": "failed"], counts.webhooksFailed)])
        add("holdfast_desk_followers", "gauge", "Pages that follow the desk.", [([:], Int64(followers))])
        add("holdfast_collector_database_up", "gauge", "1 if the database can be read.", [([:], totals == nil ? 0 : 1)])
        add(
            "holdfast_rollouts", "gauge", "Watched roll-outs, by state.",
            rollouts.sorted { $0.key < $1.key }.map { (["state": $0.key], $0.value) })
        add(
            "holdfast_rollout_halts_total", "counter", "Halts that were written, and failures, by outcome.",
            [(["outcome": "published"], counts.haltsPublished), (["outcome": "failed"], counts.haltFailures)])
        guard let totals else { return }
        add(
            "holdfast_webhook_waiting", "gauge", "Changes of incidents that the webhook has not received.",
            [([:], hasWebhook ? Int64(totals.notices) : 0)])
        add("holdfast_collector_stored_reports", "gauge", "Stored reports.", [([:], Int64(totals.reports))])
        add("holdfast_collector_stored_bytes", "gauge", "The size of stored reports in bytes.", [([:], totals.bytes)])
        add("holdfast_collector_identities", "gauge", "Stored identities.", [([:], Int64(totals.identities))])
        let (age, overflow) = (now?.secondsSince1970 ?? 0).subtractingReportingOverflow(
            (totals.oldestIdentity ?? now)?.secondsSince1970 ?? 0)
        add(
            "holdfast_collector_identity_age_seconds", "gauge",
            "The age of the oldest stored identity. A report that is repeated later counts again.",
            [([:], overflow ? .max : max(0, age))])
        add(
            "holdfast_collector_recent_reports", "gauge", "Reports that arrived within a time.",
            [(["within": "60s"], Int64(totals.lastMinute)), (["within": "3600s"], Int64(totals.lastHour))])
        add(
            "holdfast_collector_incidents", "gauge", "Incidents, by state.",
            IncidentState.allCases.map { (["state": $0.rawValue], Int64(totals.incidents[$0] ?? 0)) })
    }

    private mutating func add(
        _ name: String, _ type: String, _ help: String, _ samples: [(labels: [String: String], value: Int64)]
    ) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        for sample in samples {
            let labels = sample.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
            text += name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}") + " \(sample.value)\n"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
