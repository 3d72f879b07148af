import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

struct APIClient: Sendable {
    private let transport: HTTPClientTransport

    init(policy: PinningPolicy, anchors: TrustAnchors) {
        let trust = TrustContext.policy(policy, anchors: anchors)
        transport = HTTPClientTransport(configuration: TransportConfiguration(trust: trust))
    }

    /// Returns the status of the response to a request for the URL.
    func status(of url: URL) async throws -> Int {
        try await transport.data(for: URLRequest(url: url)).1.statusCode
    }
}
