import Foundation
import PinReportCollector

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/collector.md.
struct CollectorSnippets {
    func sample1() async throws {
        var configuration = ReportCollectorConfiguration()
        configuration.databasePath = "reports.sqlite"
        try await ReportCollector.with(configuration) { collector, address in
            print(address.url)
        }
    }
}
