import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

@Suite("Metrics of the collector")
struct MetricsTests {
    @Test func everyNumberHasATypeAndALine() {
        let counters = CollectorCounters()
        counters.count(.repeated(7))
        counters.count(.refused(status: 429, code: "tooManyRequests", count: 3))
        counters.count(.refused(status: 429, code: "tooManyRequests", count: 2))
        counters.count(.dropped(4))
        let totals = ReportTotals(
            reports: 10, bytes: 2_000, incidents: [.new: 2], lastMinute: 1, lastHour: 5, identities: 12,
            oldestIdentity: Sample.time, notices: 9)
        counters.count(.haltFailed(.init(application: "a", version: 1), reason: ""))
        let text = MetricsText(
            counters.counts, totals: totals, followers: 3, hasWebhook: true,
            rollouts: ["halted": 1, "running": 0], at: Sample.time.advanced(bySeconds: 77)
        ).text
        for line in [
            "holdfast_collector_reports_total{outcome=\"repeated\"} 1",
            "holdfast_collector_refused_total{code=\"tooManyRequests\",status=\"429\"} 5",
            "holdfast_collector_dropped_events_total 4", "holdfast_collector_incidents{state=\"new\"} 2",
            "holdfast_collector_incidents{state=\"cameBack\"} 0", "holdfast_desk_followers 3",
            "holdfast_collector_identities 12", "holdfast_collector_identity_age_seconds 77",
            "holdfast_webhook_waiting 9",
            "holdfast_collector_recent_reports{within=\"3600s\"} 5", "holdfast_collector_database_up 1",
            "holdfast_rollouts{state=\"halted\"} 1", "holdfast_rollout_halts_total{outcome=\"failed\"} 1",
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
        let names = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
        #expect(Set(names).count == names.count)
    }

    @Test func aDatabaseThatCannotBeReadIsVisible() {
        let text = MetricsText(CollectorCounters.Counts(), totals: nil, followers: 0, hasWebhook: true).text
        #expect(text.contains("holdfast_collector_database_up 0\n"))
        #expect(!text.contains("stored_reports"))
        #expect(!text.contains("webhook_waiting"))
    }

    /// Without a webhook, changes wait in the store for one. They must not raise the alert.
    @Test func withoutAWebhookNoMessageWaits() {
        let totals = ReportTotals(reports: 0, bytes: 0, incidents: [:], lastMinute: 0, lastHour: 0, notices: 9)
        let text = MetricsText(CollectorCounters.Counts(), totals: totals, followers: 0, hasWebhook: false).text
        #expect(text.contains("holdfast_webhook_waiting 0\n"))
    }

    @Test func theKindsOfRefusalsAreBounded() {
        let counters = CollectorCounters()
        for number in 0..<1_000 { counters.count(.refused(status: 400, code: "\(number)", count: 1)) }
        #expect(counters.counts.refused.count <= 65)
        #expect(counters.counts.refused.values.reduce(0, +) == 1_000)
    }
}
