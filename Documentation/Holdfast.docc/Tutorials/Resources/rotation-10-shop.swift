import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

@main struct Shop {
    static func main() async throws {
        let keys = try [
            SPKIDigest("sha256/nmcbHM3thWbHaR5WZM/niFYs6UbCFhRfA+C4Od+TAfI="),  // the server's key
            SPKIDigest("sha256/h9E2hlPM8kZ8qXKsYd3kUZAkUW0n1zoYxBsF4HJ0ev8="),  // the next key
        ]
        let policy = try PinningPolicy(name: "shop", rules: [PinningRule(HostPattern("localhost"), keys: keys)])
        let transport = HTTPClientTransport(configuration: TransportConfiguration(trust: .policy(policy)))
        guard let url = URL(string: "https://localhost:8443/") else { return }
        do {
            let (data, response) = try await transport.data(for: URLRequest(url: url))
            print("accepted: status \(response.statusCode), \(data.count) bytes")
        } catch let error as TransportError where error.code == .trustRefused {
            print("refused: \(error.reason)")
            exit(1)
        }
    }
}
