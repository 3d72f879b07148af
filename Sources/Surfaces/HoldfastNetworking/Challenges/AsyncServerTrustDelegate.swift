#if canImport(FoundationNetworking)
public import FoundationNetworking

/// A session's delegate that answers challenges by returning.
///
/// On Apple platforms `async` is another way to write the method with the completion handler. FoundationNetworking's protocol
/// has no such requirement: a class that writes it so has to say that it conforms to this one, or it is not asked, and the system
/// verification decides.
public protocol AsyncServerTrustDelegate: URLSessionDelegate {
    /// Answers a challenge about the session. Called from the session's delegate queue, it runs where `async` functions do.
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

/// A task's delegate that answers challenges by returning. See ``AsyncServerTrustDelegate``.
public protocol AsyncTaskServerTrustDelegate: URLSessionTaskDelegate {
    /// Answers a challenge about a task. Called from the session's delegate queue, it runs where `async` functions do.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}
#else
public import Foundation

/// A session's delegate that answers challenges by returning: every one may, on this platform.
public typealias AsyncServerTrustDelegate = URLSessionDelegate

/// A task's delegate that answers challenges by returning: every one may, on this platform.
public typealias AsyncTaskServerTrustDelegate = URLSessionTaskDelegate
#endif
