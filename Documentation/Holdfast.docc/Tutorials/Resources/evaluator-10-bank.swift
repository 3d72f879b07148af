import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

@main struct Bank {
    static func main() async throws {
        let keys = try [
            SPKIDigest("sha256/GC/52nAf0UTi/SzUHajdupeesBsr9/zDN29LGy7O5Oc="),  // the server's key
            SPKIDigest("sha256/nmcbHM3thWbHaR5WZM/niFYs6UbCFhRfA+C4Od+TAfI="),  // the backup key
        ]
        let evaluator = CompositeEvaluator.all([
            PublicKeyPinningEvaluator(keys: keys), LifetimeEvaluator(maximumDays: 100),
        ])
        let trust = TrustContext.evaluators(["localhost": evaluator])
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
