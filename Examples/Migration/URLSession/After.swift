import Foundation
import HoldfastNetworking
import HoldfastTrust

/// A client of a shop with a pinned certificate.
final class ShopClient: Sendable {
    private let transport: PinningTransport

    init(host: String, certificate: Data, anchors: TrustAnchors = .system) {
        let evaluator = CertificatePinningEvaluator(pinnedCertificates: [certificate], anchors: anchors)
        transport = PinningTransport(pinnedDomains: [host: evaluator], anchors: anchors)
    }

    func load(_ url: URL) async throws -> Data {
        try await transport.data(for: URLRequest(url: url)).0
    }
}
