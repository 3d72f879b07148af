import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

@main struct Shop {
    static func main() async throws {
        let keys = try [
            SPKIDigest("sha256/GC/52nAf0UTi/SzUHajdupeesBsr9/zDN29LGy7O5Oc=")  // the server's key
        ]
        let policy = try PinningPolicy(
            name: "shop", rules: [PinningRule(HostPattern("localhost"), keys: keys)], backupPins: .off)
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
