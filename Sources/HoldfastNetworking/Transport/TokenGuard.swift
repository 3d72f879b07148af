import Foundation
import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Keeps the access token at its origin on the redirects of a native session, which would take the field along.
///
/// It is the delegate of one task. Once a redirect has led to another origin the token stays behind for good.
final class TokenGuard: NSObject, URLSessionTaskDelegate, Sendable {
    private let start: URL?
    private let fields: Set<HTTPField.Name>
    private let isAway = Mutex(false)

    /// Whether a redirect has led to another origin, on the way or in the end.
    var hasLeftOrigin: Bool { isAway.withLock(\.self) }

    /// `nil` where no call of the running task names a field that carries a token.
    init?(_ request: URLRequest) {
        fields = TokenCall.credentialFields
        guard !fields.isEmpty else { return nil }
        start = request.url
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = request
        let leaves = isAway.withLock { isAway in
            if !TokenCall.isSameOrigin(request.url, start) { isAway = true }
            return isAway
        }
        if leaves {
            for field in fields { request.setValue(nil, forHTTPHeaderField: field.rawName) }
        }
        #if !canImport(FoundationNetworking)
        // The task's delegate takes the place of the session's, which keeps its say.
        let delegate = session.delegate as? any URLSessionTaskDelegate
        let isAsked: Void? = delegate?.urlSession?(
            session, task: task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
        if isAsked != nil { return }
        #endif
        completionHandler(request)
    }
}
