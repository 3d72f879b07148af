import Crypto
import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Surfaces/HoldfastNetworking/Documentation.docc/Networking.md.
struct NetworkingSnippets {
    struct Thing: Decodable {}

    func sample2(primary: SPKIDigest, backup: SPKIDigest, signInAgain: @escaping @Sendable () async throws -> Void, environment: any APIEnvironmentProtocol) async throws {
        let service = HTTPNetworkService(
            transport: ReauthTransport(
                inner: RetryTransport(
                    inner: PinningTransport(
                        pinnedDomains: ["api.example.com": PublicKeyPinningEvaluator(keys: [primary, backup])])),
                refreshToken: { try await signInAgain() }))
        let things: [Thing] = try await service.requestModels(to: Endpoint(path: "things", method: .get), via: environment)
    }

    func sample3(primary: SPKIDigest, backup: SPKIDigest) async throws {
        let rule = try PinningRule(HostPattern("**.example.com"), keys: [primary, backup])     // the host and all subdomains
        let policy = try PinningPolicy(name: "example.com", rules: [rule])
        let transport = HTTPClientTransport(configuration: TransportConfiguration(trust: .policy(policy)))
    }

    func sample4() async throws {
        let store: any KeyChainStoreProtocol = (try? SecretServiceKeyChainStore()) ?? SystemKeyChainStore()
        let auth = SystemKeyChainAuthService(keyChainStore: store)
    }
}
