#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HTTPTypes
import HoldfastTransport
import HoldfastTrust

/// Sends requests over libcurl on Linux and follows redirects itself.
///
/// FoundationNetworking asks only a session's delegate about a redirect, never a task's own delegate, and copies all
/// header fields to the next request. Therefore this type uses its own session with the configuration of the app's
/// session. Its delegate stops each redirect, and ``RedirectChain`` decides by the rules of Holdfast's client.
/// Credentials stay with their origin (RFC 9110, 15.4). No redirect leads from https to http or, in cleartext, to
/// another machine.
///
/// Usable from any thread. The session is invalidated when the object is released.
final class NativeCarrier: Sendable {
    /// Stops every redirect, so that the redirect response is returned. It has no state, because the caller knows the
    /// redirected request.
    private final class RedirectStop: NSObject, URLSessionTaskDelegate, Sendable {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }
    }

    private let session: URLSession

    /// Makes a session with a copy of the configuration. The copy shares the caches, cookie stores and protocol
    /// classes.
    init(configuration: URLSessionConfiguration) {
        // The explicit type selects the native initializer, which does not warn about a delegate.
        let delegate: (any URLSessionDelegate)? = RedirectStop()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends a request and follows its redirects. Throws the session's error, or `TransportError` for a refused request
    /// or redirect. The timeouts of the request and the session apply to each step.
    func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        guard let scheme = request.url?.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            return try await send(request)
        }
        var request = request
        var policy = RedirectPolicy.follow()
        policy.credentialFields = TokenCall.credentialFields
        // Revisits are allowed because the session has cookies: a server may set one and redirect to the same URL.
        var chain = RedirectChain(try request.head(), policy: policy, refusesRevisits: false)
        var answer = try await send(request)
        while try chain.follow(Self.head(of: answer.1), canRepeatBody: request.httpBodyStream == nil) {
            try request.redirect(along: chain)
            answer = try await send(request)
        }
        TokenCall.answered(chain.request, hasLeftOrigin: chain.hasLeftOrigin)
        return answer
    }

    private func send(_ request: URLRequest) async throws -> (Data, URLResponse) {
        try Self.refuseCleartext(to: request.url)
        return try await session.data(for: request)
    }

    /// Returns the status and location of a redirect, or 200 for any other response. FoundationNetworking joins fields
    /// of the same name, so two locations are refused like one invalid location.
    private static func head(of response: URLResponse) -> HTTPResponse {
        guard let response = response as? HTTPURLResponse, (300..<400).contains(response.statusCode) else {
            return HTTPResponse(status: .ok)
        }
        var head = HTTPResponse(status: .init(code: response.statusCode))
        if let location = response.value(forHTTPHeaderField: "Location") { head.headerFields[.location] = location }
        return head
    }

    /// Throws if a URL leads to another machine without TLS, by the rule of Holdfast's client.
    private static func refuseCleartext(to url: URL?) throws(TransportError) {
        guard let url, let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "ws" else { return }
        let host = try RequestURL(url.absoluteString).host
        guard !host.isLoopback else { return }
        throw TransportError(
            .cleartextRefused, in: .preparing, "\(host) is not on this machine: a connection without TLS is refused.")
    }
}

extension URLRequest {
    /// Changes this request into the next request of a chain. Properties that a redirect does not affect stay
    /// unchanged.
    fileprivate mutating func redirect(along chain: RedirectChain) throws(TransportError) {
        guard let url = chain.request.absoluteURL else {
            throw TransportError(.redirectRefused, in: .awaitingResponse, "The location is not a valid URL.")
        }
        self.url = url
        httpMethod = chain.request.method.rawValue
        if !chain.keepsBody { (httpBody, httpBodyStream) = (nil, nil) }
        for name in (allHTTPHeaderFields ?? [:]).keys {
            let isKept = HTTPField.Name(name).map { chain.request.headerFields.contains($0) } ?? false
            if !isKept { setValue(nil, forHTTPHeaderField: name) }
        }
    }
}
#endif
