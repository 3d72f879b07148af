import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Transport/HoldfastTransport/Documentation.docc/HTTP-Connections.md.
struct HTTPConnectionsSnippets {
    func sample1(client: HTTPClient, request: HTTPRequest) async throws {
        let options = RequestOptions(address: try ConnectAddress("192.0.2.7:8443"))
        let answer = try await client.collect(request, upTo: 1 << 20, options: options)
    }

    func sample2(client: HTTPClient, request: HTTPRequest, root: CertificateView) async throws {
        let laboratory = RequestTrust(.system(anchors: .only([root])))   // once, for all requests to the laboratory
        let answer = try await client.collect(request, upTo: 1 << 20, options: RequestOptions(trust: laboratory))
    }

    func sample3(client: HTTPClient) async throws {
        let ready = try await client.prewarm("https://pay.example.com", connections: 2)
        print(ready.opened, ready.available)
    }

    func sample4(policy: PinningPolicy) async throws {
        var configuration = TransportConfiguration(trust: .policy(policy))
        configuration.http2Distribution = .leastLoaded(loadFactor: 0.5, connections: 4)
    }
}
