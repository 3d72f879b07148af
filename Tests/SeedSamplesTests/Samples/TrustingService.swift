import Foundation
import HoldfastNetworking
import HoldfastTrust

// The example of seeds/001: a session whose delegate accepts every certificate of a misconfigured server. The braces
// that the printed copy lost are restored.

class TrustingService: NSObject {
    private lazy var operations: OperationQueue = {
        let queue = OperationQueue.init()
        queue.name = "trusting service"
        queue.qualityOfService = QualityOfService.background
        return queue
    }()

    lazy var session: URLSession = {
        return URLSession(configuration: URLSessionConfiguration.default, delegate: self, delegateQueue: operations)
    }()

    /// The one change that Linux needs: a session that asks the delegate.
    func pinnedSession(policy: PinningPolicy, options: PinnedSessionOptions) -> URLSession {
        return URLSession(
            pinnedBy: policy, configuration: URLSessionConfiguration.default, delegate: self, delegateQueue: operations,
            options: options)
    }
}

extension TrustingService: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space: URLProtectionSpace = challenge.protectionSpace
        if space.authenticationMethod == NSURLAuthenticationMethodServerTrust {
            if let trust: SecTrust = space.serverTrust {
                let credential = URLCredential(trust: trust)
                completionHandler(URLSession.AuthChallengeDisposition.useCredential, credential)
            } else {
                completionHandler(URLSession.AuthChallengeDisposition.performDefaultHandling, nil)
            }
        } else {
            completionHandler(URLSession.AuthChallengeDisposition.cancelAuthenticationChallenge, nil)
        }
    }
}
