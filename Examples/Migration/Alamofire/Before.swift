// Not compiled here: Alamofire evaluates servers on Apple platforms only, and is not installed.
import Alamofire
import Foundation

/// A client of a shop with the pinned keys of certificates.
struct ShopClient {
    private let session: Session

    init(host: String, certificates: [SecCertificate]) {
        let evaluator = PublicKeysTrustEvaluator(keys: certificates.af.publicKeys)
        let manager = ServerTrustManager(evaluators: [host: evaluator])
        session = Session(serverTrustManager: manager)
    }

    func status(of url: URL) async throws -> Int {
        let response = await session.request(url).serializingData().response
        if let error = response.error { throw error }
        return response.response?.statusCode ?? 0
    }
}
