#if canImport(FoundationNetworking)
public import FoundationNetworking

/// A session delegate with an `async` challenge method.
///
/// On Apple platforms, `async` is an alternative form of the method with a completion handler. FoundationNetworking's
/// protocol has no such requirement. A class with the `async` form must therefore conform to this protocol; otherwise
/// it is not asked, and the system verification decides.
public protocol AsyncServerTrustDelegate: URLSessionDelegate {
    /// Answers a challenge about the session. Called from the session's delegate queue; runs on the executor of `async`
    /// functions.
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

/// A task delegate with an `async` challenge method. See ``AsyncServerTrustDelegate``.
public protocol AsyncTaskServerTrustDelegate: URLSessionTaskDelegate {
    /// Answers a challenge about a task. Called from the session's delegate queue; runs on the executor of `async`
    /// functions.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}
#else
public import Foundation

/// A session delegate with an `async` challenge method. On this platform, every session delegate may have one.
public typealias AsyncServerTrustDelegate = URLSessionDelegate

/// A task delegate with an `async` challenge method. On this platform, every task delegate may have one.
public typealias AsyncTaskServerTrustDelegate = URLSessionTaskDelegate
#endif
