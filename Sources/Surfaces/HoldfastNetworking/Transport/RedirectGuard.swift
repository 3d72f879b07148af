#if !canImport(FoundationNetworking)
import Foundation
import HTTPTypes
import Synchronization

/// Keeps the access token with its origin on the redirects of one task of a native session. Used on Apple platforms,
/// where App Transport Security refuses cleartext. On Linux a task's delegate is not asked; see ``NativeCarrier``.
///
/// After a redirect to another origin, the token is never sent again. The answer of the session's own delegate about a
/// redirect is respected.
final class RedirectGuard: NSObject, URLSessionTaskDelegate, Sendable {
    private let start: URL?
    private let fields: Set<HTTPField.Name>
    private let isAway = Mutex(false)

    /// Whether any redirect led to another origin.
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
        // A task's delegate replaces the session's delegate, so it must forward the call.
        let delegate = session.delegate as? any URLSessionTaskDelegate
        let isAsked: Void? = delegate?.urlSession?(
            session, task: task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
        if isAsked != nil { return }
        completionHandler(request)
    }
}
#endif
