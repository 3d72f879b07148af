public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Carries requests over the platform's default connections, or over a `URLSession` of your own with your own delegate.
///
/// `URLSessionTransport()` verifies servers as App Transport Security does: TLS 1.2 or later, cipher suites with forward secrecy, and
/// no cleartext. On Apple platforms that is `URLSession.shared`. On Linux it is Holdfast's client (``HTTPClientTransport``), because
/// libcurl accepts RSA key exchange and cleartext.
///
/// With a session of your own everything about the connection is that session's: its trust, its cipher suites, its time-outs, its
/// cache. On Linux a native session verifies servers by the machine's roots, with libcurl's cipher suites. It never asks its delegate
/// about a server, so that a delegate that pins would silently not: a session with a delegate is refused with
/// ``UnbridgedSessionError``. A session that `URLSession(pinnedBy:configuration:delegate:delegateQueue:)` has made asks it, and is
/// accepted; so do ``PinningTransport``, and a ``HTTPClientTransport`` with `TrustContext.delegate(_:of:task:policy:anchors:logger:)`.
/// Cleartext to other machines is refused for every session.
///
/// Whatever the session, the access token of ``HTTPNetworkService`` and ``ReauthTransport`` stays with its origin on redirects.
public struct URLSessionTransport: HTTPTransportProtocol {
    private enum Carrier {
        case session(URLSession)
        #if canImport(FoundationNetworking)
        case holdfast(HTTPClientTransport)
        #endif
    }

    private let carrier: Carrier

    /// Uses the platform's default connections.
    public init() {
        #if canImport(FoundationNetworking)
        carrier = .holdfast(HTTPClientTransport())
        #else
        carrier = .session(.shared)
        #endif
    }

    /// Wraps a session.
    public init(session: URLSession) {
        carrier = .session(session)
    }

    /// Throws what the session throws (for a pinned session and without a session that is Holdfast's own error), a `TransportError`
    /// with the code `cleartextRefused`, ``UnbridgedSessionError``, or ``NetworkError/invalidResponseType`` for a response of another
    /// protocol than HTTP.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        switch carrier {
        case .session(let session): return try await data(for: request, over: session)
        #if canImport(FoundationNetworking)
        case .holdfast(let transport): return try await transport.data(for: request)
        #endif
        }
    }

    private func data(for request: URLRequest, over session: URLSession) async throws -> (Data, HTTPURLResponse) {
        #if canImport(FoundationNetworking)
        if session is PinnedURLSession {
            do {
                return try await session.holdfastData(for: request)
            } catch let error as URLError {
                throw error.holdfastError ?? error
            }
        }
        guard session.delegate == nil else { throw UnbridgedSessionError() }
        try RedirectGuard.refuseCleartext(to: request.url)
        #endif
        let redirects = RedirectGuard(request)
        let (data, response) = try await session.data(for: request, delegate: redirects)
        if let refusal = redirects.refusal { throw refusal }
        if redirects.hasLeftOrigin { TokenCall.leftOrigin() }
        guard let response = response as? HTTPURLResponse else { throw NetworkError.invalidResponseType }
        return (data, response)
    }
}
