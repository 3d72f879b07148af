import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

@main struct Shop {
    static func main() async throws {
        let keys = try [
            SPKIDigest("sha256/GC/52nAf0UTi/SzUHajdupeesBsr9/zDN29LGy7O5Oc="),  // the server's key
            SPKIDigest("sha256/nmcbHM3thWbHaR5WZM/niFYs6UbCFhRfA+C4Od+TAfI="),  // the backup key
        ]
        let rule = PinningRule(
            try HostPattern("localhost"), pins: PinSet(keys: keys), reportURIs: ["http://127.0.0.1:8475/reports"])
        let policy = try PinningPolicy(name: "shop", rules: [rule])

        let (events, continuation) = AsyncStream.makeStream(of: ReportEvent.self)
        var configuration = PinFailureReporter.Configuration(
            folder: "outbox", identity: ReportIdentity(bundleID: "com.example.shop", version: "1.0"))
        configuration.onEvent = { continuation.yield($0) }
        let reporter = PinFailureReporter(configuration: configuration)
        let reporting = Task { try await reporter.run() }

        let trust = TrustContext.policy(policy).reporting(to: reporter)
        let transport = HTTPClientTransport(configuration: TransportConfiguration(trust: trust))
        guard let url = URL(string: "https://localhost:8443/") else { return }
        do {
            let (_, response) = try await transport.data(for: URLRequest(url: url))
            print("accepted: status \(response.statusCode)")
        } catch let error as TransportError where error.code == .trustRefused {
            print("refused")
            for await event in events {
                print("report: \(event.rawValue)")
                if event != .kept { break }
            }
        }
        // A real app does not cancel the reporter before it ends.
        reporting.cancel()
        _ = await reporting.result
    }
}
