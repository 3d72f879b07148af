import Foundation
import HoldfastNetworking
import HoldfastTrust

// What seeds/001 describes in words: the same delegate with an additional check. It accepts one certificate of one
// host.

final class OneCertificateService: NSObject, URLSessionDelegate {
    private let host: String
    private let certificate: Data

    init(host: String, certificate: Data) {
        self.host = host
        self.certificate = certificate
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust, space.host == host,
            let trust: SecTrust = space.serverTrust,
            trust.presented.leaf.map({ Data($0.der) }) == certificate
        else {
            completionHandler(.cancelAuthenticationChallenge, nil)
            return
        }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}
