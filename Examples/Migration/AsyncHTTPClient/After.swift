import HTTPTypes
import HoldfastTransport
import HoldfastTrust

/// A client of a shop with pinned keys.
struct ShopClient {
    private let client: HTTPClient

    init(host: String, pins: [String], anchors: TrustAnchors = .system) throws {
        let rule = try PinningRule(HostPattern(host), keys: pins.map { try SPKIDigest($0) })
        let policy = try PinningPolicy(name: "shop", rules: [rule], requiresRuleForEveryHost: true)
        client = HTTPClient(configuration: TransportConfiguration(trust: .policy(policy, anchors: anchors)))
    }

    func status(of path: String, at authority: String) async throws -> Int {
        let request = HTTPRequest(method: .get, scheme: "https", authority: authority, path: path)
        let answer = try await client.collect(request, upTo: 1 << 20)
        return answer.response.status.code
    }

    func shutdown() async {
        await client.shutdown()
    }
}
