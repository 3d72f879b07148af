import Foundation
import Testing

@testable import PinReportCollector

/// The metrics in the documents are those of the collector. An alert on another name would never fire.
@Suite("Tool: metrics of the collector") struct CollectorMetricsTests {
    private let metrics: Set<String>

    init() {
        let totals = ReportTotals(reports: 0, bytes: 0, incidents: [:], lastMinute: 0, lastHour: 0)
        let text = MetricsText(CollectorCounters.Counts(), totals: totals, followers: 0, hasWebhook: true).text
        metrics = Self.names(in: text)
    }

    private static func names(in text: String) -> Set<String> {
        Set(text.matches(of: /holdfast_(?:collector|desk|webhook)_[a-z_]+/).map { String($0.output) })
    }

    private func names(in page: String) throws -> Set<String> {
        Self.names(in: try String(contentsOf: Documentation.root.appendingPathComponent(page), encoding: .utf8))
    }

    @Test func everyMetricIsDocumented() throws {
        #expect(try names(in: "docs/report-desk.md") == metrics)
    }

    @Test func everyAlertNamesAMetric() throws {
        let named = try names(in: "docs/fleet.md")
        #expect(!named.isEmpty)
        #expect(named.subtracting(metrics).isEmpty)
    }
}
