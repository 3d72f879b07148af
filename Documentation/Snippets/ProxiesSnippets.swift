import Foundation
import HoldfastTransport
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Transport/HoldfastTransport/Documentation.docc/Proxies.md.
struct ProxiesSnippets {
    func sample1(policy: PinningPolicy) async throws {
        var configuration = TransportConfiguration(trust: .policy(policy))
        configuration.proxies = .server(try ProxyServer("http://user:password@proxy.example.com:3128"))
        configuration.proxies = try .environment()   // HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY
    }
}
