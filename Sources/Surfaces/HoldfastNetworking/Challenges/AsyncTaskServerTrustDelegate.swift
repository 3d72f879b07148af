#if canImport(FoundationNetworking)
public import FoundationNetworking

/// A task's delegate that answers challenges by returning. See ``AsyncServerTrustDelegate``.
public protocol AsyncTaskServerTrustDelegate: URLSessionTaskDelegate {
    /// Answers a challenge about a task. Called from the session's delegate queue, it runs where `async` functions do.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}
#else
public import Foundation

/// A task's delegate that answers challenges by returning: every one may, on this platform.
public typealias AsyncTaskServerTrustDelegate = URLSessionTaskDelegate
#endif
