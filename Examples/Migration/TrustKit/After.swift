import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

/// A client of a shop with pinned keys.
struct ShopClient {
    private let transport: HTTPClientTransport

    init(host: String, pins: [String], anchors: TrustAnchors = .system) throws {
        let rule = try PinningRule(HostPattern(host), keys: pins.map { try SPKIDigest("sha256/" + $0) })
        let policy = try PinningPolicy(name: "shop", rules: [rule])
        let configuration = TransportConfiguration(trust: .policy(policy, anchors: anchors))
        transport = HTTPClientTransport(configuration: configuration)
    }

    func load(_ url: URL) async throws -> Data {
        try await transport.data(for: URLRequest(url: url)).0
    }
}
