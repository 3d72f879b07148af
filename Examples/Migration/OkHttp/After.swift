import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

/// A client of a shop with pinned keys.
struct ShopClient {
    private let client: HTTPClientTransport

    init(pattern: String, pins: [String], anchors: TrustAnchors = .system) throws {
        let rule = try PinningRule(HostPattern(pattern), keys: pins.map { try SPKIDigest($0) })
        let policy = try PinningPolicy(name: "shop", rules: [rule])
        client = HTTPClientTransport(configuration: TransportConfiguration(trust: .policy(policy, anchors: anchors)))
    }

    func status(of url: URL) async throws -> Int {
        try await client.data(for: URLRequest(url: url)).1.statusCode
    }
}
