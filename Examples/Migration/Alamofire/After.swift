import Foundation
import HoldfastCompatibility
import HoldfastTransport

/// A client of a shop with the pinned keys of certificates.
struct ShopClient {
    private let transport: HTTPClientTransport

    init(host: String, certificates: [CertificateView], anchors: TrustAnchors = .system) {
        let keys = certificates.map { PublicKeyInfo($0) }
        let evaluator = PublicKeysTrustEvaluator(keys: keys, anchors: anchors)
        let manager = ServerTrustManager(evaluators: [host: evaluator])
        let configuration = TransportConfiguration(trust: .serverTrustManager(manager, anchors: anchors))
        transport = HTTPClientTransport(configuration: configuration)
    }

    func status(of url: URL) async throws -> Int {
        let (_, response) = try await transport.data(for: URLRequest(url: url))
        return response.statusCode
    }
}
