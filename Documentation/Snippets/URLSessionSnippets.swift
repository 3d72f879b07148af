import Foundation
import HoldfastCompatibility
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Surfaces/HoldfastNetworking/Documentation.docc/Pinned-URLSession.md.
enum URLSessionSnippets {
    static func withTrustKit() -> URLSession {
        final class PinningDelegate: NSObject, URLSessionDelegate {
            func urlSession(
                _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                let validator = TrustKit.sharedInstance().pinningValidator
                if !validator.handle(challenge, completionHandler: completionHandler) {
                    completionHandler(.performDefaultHandling, nil)  // not a challenge about the server
                }
            }
        }

        let session = URLSession(configuration: .default, delegate: PinningDelegate(), delegateQueue: nil)
        return session
    }

    final class Client: NSObject, URLSessionDelegate {
        func load(_ url: URL, policy: PinningPolicy, queue: OperationQueue) async throws {
            do {
                let session = URLSession(pinnedBy: policy, configuration: .default, delegate: self, delegateQueue: queue)
                let (data, response) = try await session.data(from: url)
                print(data, response)
            }
            catch let error as URLError {
                error.trustVerdict      // why a server was refused, with hashes and names
                error.transportError    // what else went wrong, and in which phase
                error.holdfastError     // any of Holdfast's errors
            }
        }
    }
}
