import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

@main struct Shop {
    static func main() async throws {
        let transport = HTTPClientTransport(configuration: TransportConfiguration(trust: .system()))
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
