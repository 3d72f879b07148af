import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTrust
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Watches the redirects of one task of a native session: the access token stays with its origin, and on Linux cleartext to another
/// machine is refused, as App Transport Security refuses it on Apple platforms.
///
/// Once a redirect has led to another origin the token stays behind for good. What the session's own delegate answers about a
/// redirect is kept.
final class RedirectGuard: NSObject, URLSessionTaskDelegate, Sendable {
    private struct State {
        var isAway = false
        var refusal: TransportError?
    }

    private let start: URL?
    private let fields: Set<HTTPField.Name>
    private let state = Mutex(State())

    /// Whether a redirect has led to another origin, on the way or in the end.
    var hasLeftOrigin: Bool { state.withLock(\.isAway) }

    /// Why a redirect was not followed.
    var refusal: TransportError? { state.withLock(\.refusal) }

    init(_ request: URLRequest) {
        fields = TokenCall.credentialFields
        start = request.url
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = request
        let isAway = state.withLock { state in
            if !TokenCall.isSameOrigin(request.url, start) { state.isAway = true }
            return state.isAway
        }
        if isAway {
            for field in fields { request.setValue(nil, forHTTPHeaderField: field.rawName) }
        }
        #if canImport(FoundationNetworking)
        do throws(TransportError) {
            try Self.refuseCleartext(to: request.url)
        } catch {
            state.withLock { $0.refusal = error }
            return completionHandler(nil)
        }
        #else
        // A task's delegate takes the place of the session's.
        let delegate = session.delegate as? any URLSessionTaskDelegate
        let isAsked: Void? = delegate?.urlSession?(
            session, task: task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
        if isAsked != nil { return }
        #endif
        completionHandler(request)
    }

    #if canImport(FoundationNetworking)
    /// Throws where a URL leads to another machine without TLS: the client's own rule, by the URL's host.
    static func refuseCleartext(to url: URL?) throws(TransportError) {
        guard let url, let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "ws" else { return }
        let host = try RequestURL(url.absoluteString).host
        guard !host.isLoopback else { return }
        throw TransportError(
            .cleartextRefused, in: .preparing, "\(host) is not on this machine: a connection without TLS is refused.")
    }
    #endif
}
