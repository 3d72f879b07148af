import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

@main struct Bank {
    static func main() async throws {
        let trust = TrustContext.evaluators(["localhost": LifetimeEvaluator(maximumDays: 100)])
        let transport = HTTPClientTransport(configuration: TransportConfiguration(trust: trust))
        guard let url = URL(string: "https://localhost:8443/") else { return }
        do {
            let (_, response) = try await transport.data(for: URLRequest(url: url))
            print("accepted: status \(response.statusCode)")
        } catch let error as TransportError where error.code == .trustRefused {
            print("refused: \(error.reason)")
            exit(1)
        }
    }
}
