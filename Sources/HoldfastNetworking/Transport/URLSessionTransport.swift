public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Carries requests over a `URLSession` of your own, with your own delegate.
///
/// Everything about the connection is that session's: its trust, its time-outs, its cache. On Linux a session's delegate is
/// never asked about a server, so that a delegate that pins would silently not; a session with a delegate is therefore refused
/// with ``UnbridgedSessionError``. One that `URLSession(pinnedBy:configuration:delegate:delegateQueue:)` has made asks it,
/// and is not; so do ``PinningTransport``, and a ``HTTPClientTransport`` with
/// `TrustContext.delegate(_:of:task:policy:anchors:logger:)`. Without a delegate libcurl verifies servers by the machine's
/// roots.
///
/// Whatever the session, the access token of ``HTTPNetworkService`` and ``ReauthTransport`` stays with its origin on redirects.
public struct URLSessionTransport: HTTPTransportProtocol {
    private let session: URLSession

    /// Wraps a session.
    public init(session: URLSession = .shared) {
        self.session = session
    }

    /// Throws what the session throws (for a pinned session that is Holdfast's own error), ``UnbridgedSessionError``, or
    /// ``NetworkError/invalidResponseType`` for a response that is none of HTTP.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        #if canImport(FoundationNetworking)
        guard session is PinnedURLSession || session.delegate == nil else { throw UnbridgedSessionError() }
        do {
            if session is PinnedURLSession { return try await session.holdfastData(for: request) }
        } catch let error as URLError {
            throw error.holdfastError ?? error
        }
        #endif
        let tokens = TokenGuard(request)
        let (data, response) = try await session.data(for: request, delegate: tokens)
        if tokens?.hasLeftOrigin == true { TokenCall.leftOrigin() }
        guard let response = response as? HTTPURLResponse else { throw NetworkError.invalidResponseType }
        return (data, response)
    }
}
