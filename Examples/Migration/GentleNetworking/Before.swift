// Not compiled here: GentleNetworking is available for Apple platforms only.
import Foundation
import GentleNetworking

/// A client of a shop with pinned keys.
struct ShopClient {
    private let service: HTTPNetworkService
    private let environment: DefaultAPIEnvironment

    init(host: String, keyHash: Data, backupHash: Data, baseURL: URL) {
        let evaluator = PublicKeyPinningEvaluator(pinnedKeyHashes: [keyHash, backupHash])
        let transport = PinningTransport(pinnedDomains: [host: evaluator])
        service = HTTPNetworkService(transport: transport)
        environment = DefaultAPIEnvironment(baseURL: baseURL)
    }

    func checkHealth() async throws {
        try await service.requestVoid(to: Endpoint(path: "health", method: .get), via: environment)
    }
}
