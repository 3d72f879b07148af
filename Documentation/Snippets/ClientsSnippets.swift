import Foundation
import HoldfastNIO
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/clients.md.
struct ClientsSnippets {
    func sample2(keys: [SPKIDigest]) async throws {
        let host = try CanonicalHost("api.example.com")
        let policy = try PinningPolicy(name: "api", rules: [PinningRule(HostPattern(host.text), keys: keys)])
        let tls = try PinnedTLSHandlerFactory(trust: .policy(policy), applicationProtocols: ["h2"])   // once, for the whole app
    }
}
