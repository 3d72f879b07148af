import Foundation
import HoldfastNetworking
import HoldfastTrust

/// A client of a shop with pinned keys.
struct ShopClient {
    private let service: HTTPNetworkService
    private let environment: DefaultAPIEnvironment

    init(host: String, keyHash: Data, backupHash: Data, baseURL: URL, anchors: TrustAnchors = .system) {
        let evaluator = PublicKeyPinningEvaluator(pinnedKeyHashes: [keyHash, backupHash], anchors: anchors)
        let transport = PinningTransport(pinnedDomains: [host: evaluator], anchors: anchors)
        service = HTTPNetworkService(transport: transport)
        environment = DefaultAPIEnvironment(baseURL: baseURL)
    }

    func checkHealth() async throws {
        try await service.requestVoid(to: Endpoint(path: "health", method: .get), via: environment)
    }
}
