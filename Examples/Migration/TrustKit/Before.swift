// Not compiled here: TrustKit is available for Apple platforms only.
import Foundation
import TrustKit

/// A client of a shop with pinned keys.
final class ShopClient: NSObject, URLSessionDelegate {
    init(host: String, pins: [String]) {
        TrustKit.initSharedInstance(withConfiguration: [kTSKPinnedDomains: [host: [kTSKPublicKeyHashes: pins]]])
    }

    func load(_ url: URL) async throws -> Data {
        let session = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return try await session.data(from: url).0
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let validator = TrustKit.sharedInstance().pinningValidator
        if !validator.handle(challenge, completionHandler: completionHandler) {
            completionHandler(.performDefaultHandling, nil)
        }
    }
}
