#if !canImport(FoundationNetworking)
import Foundation
import HTTPTypes
import Synchronization

/// Keeps the access token with its origin on the redirects of one task of a native session. For Apple platforms, where App Transport
/// Security refuses cleartext; on Linux a task's delegate is not asked (``NativeCarrier``).
///
/// Once a redirect has led to another origin the token stays behind for good. What the session's own delegate answers about a
/// redirect is kept.
final class RedirectGuard: NSObject, URLSessionTaskDelegate, Sendable {
    private let start: URL?
    private let fields: Set<HTTPField.Name>
    private let isAway = Mutex(false)

    /// Whether a redirect has led to another origin, on the way or in the end.
    var hasLeftOrigin: Bool { isAway.withLock(\.self) }

    init(_ request: URLRequest) {
        fields = TokenCall.credentialFields
        start = request.url
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = request
        let isSame = TokenCall.isSameOrigin(request.url, start)
        let isAway = isAway.withLock { isAway in
            if !isSame { isAway = true }
            return isAway
        }
        if isAway {
            for field in fields { request.setValue(nil, forHTTPHeaderField: field.rawName) }
        }
        // A task's delegate takes the place of the session's.
        let delegate = session.delegate as? any URLSessionTaskDelegate
        let isAsked: Void? = delegate?.urlSession?(
            session, task: task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
        if isAsked != nil { return }
        completionHandler(request)
    }
}
#endif
