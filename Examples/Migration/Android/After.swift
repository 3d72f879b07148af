import Foundation
import HoldfastFormats
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

/// A client of a shop with the pins of network_security_config.xml.
struct ShopClient {
    private let transport: HTTPClientTransport

    init(configuration: Data, anchors: TrustAnchors = .system) throws {
        let policy = try PolicyFormats.read(Array(configuration), as: .android).policy()
        let trust = TrustContext.policy(policy, anchors: anchors)
        transport = HTTPClientTransport(configuration: TransportConfiguration(trust: trust))
    }

    func status(of url: URL) async throws -> Int {
        try await transport.data(for: URLRequest(url: url)).1.statusCode
    }
}
