// Not compiled here: type-checked against stubs, because Linux never asks a session's delegate about a server.
import Foundation
import Security

/// A client of a shop with a pinned certificate.
final class ShopClient: NSObject, URLSessionDelegate {
    private let certificate: Data

    init(certificate: Data) {
        self.certificate = certificate
    }

    func load(_ url: URL) async throws -> Data {
        let session = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return try await session.data(from: url).0
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil),
            let leaf = (SecTrustCopyCertificateChain(trust) as? [SecCertificate])?.first,
            certificate == SecCertificateCopyData(leaf) as Data
        else { return (.cancelAuthenticationChallenge, nil) }
        return (.useCredential, URLCredential(trust: trust))
    }
}
