import Foundation
import HoldfastCompatibility

// The examples of seeds/004, with their Swift signatures: a task delegate that passes challenges to the shared
// validator, and a connection of another library that is evaluated by hand.

final class KitDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let pinningValidator = TrustKit.sharedInstance().pinningValidator
        if !pinningValidator.handle(challenge, completionHandler: completionHandler) {
            completionHandler(URLSession.AuthChallengeDisposition.performDefaultHandling, nil)
        }
    }
}

/// Evaluates a connection that a low-level API opened. As the page's warning asks, this code verifies hosts without
/// pins.
func mayTalk(to host: String, presenting serverTrust: SecTrust, verify: (SecTrust, String) throws -> Void) -> Bool {
    let validator = TrustKit.sharedInstance().pinningValidator
    let decision: TSKTrustDecision = validator.evaluateTrust(serverTrust, forHostname: host)
    switch decision {
    case .shouldAllowConnection: return true
    case .shouldBlockConnection: return false
    case .domainNotPinned: return (try? verify(serverTrust, host)) != nil
    @unknown default: return false
    }
}
