import Foundation
import HoldfastTransport
import HoldfastTrust
import Logging

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Transport/HoldfastTransport/Documentation.docc/Pin-Failure-Reports.md.
struct ReportingSnippets {
    func sample1(keys: [SPKIDigest], folder: String, logger: Logger) async throws {
        let rule = PinningRule(
            try HostPattern("api.example.com"), pins: PinSet(keys: keys), reportURIs: ["https://reports.example.com/reports"])
        let policy = try PinningPolicy(name: "shop", rules: [rule])     // a rule without reportURIs reports nothing
        let reporter = PinFailureReporter(
            configuration: .init(folder: folder, identity: ReportIdentity(bundleID: "com.example.shop", version: "4.2")), logger: logger)
        let client = HTTPClient(configuration: .init(trust: .policy(policy).reporting(to: reporter)))
        try await reporter.run()        // in a task of its own, for the lifetime of the app; cancel it to shut down
    }
}
