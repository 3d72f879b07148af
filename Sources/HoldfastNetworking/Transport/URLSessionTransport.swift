public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Carries requests over a `URLSession` of your own, with your own delegate.
///
/// Everything about the connection is that session's: its trust, its time-outs, its cache. On Linux a session's delegate is
/// never asked about a server, so that a delegate that pins would silently not; a session with a delegate is therefore refused
/// with ``UnbridgedSessionError``. Use ``PinningTransport``, or a ``HTTPClientTransport`` with
/// `TrustContext.delegate(_:of:task:policy:anchors:logger:)`, which asks it. Without a delegate libcurl verifies servers by the
/// machine's roots.
public struct URLSessionTransport: HTTPTransportProtocol {
    private let session: URLSession

    /// Wraps a session.
    public init(session: URLSession = .shared) {
        self.session = session
    }

    /// Throws what the session throws, ``UnbridgedSessionError``, or ``NetworkError/invalidResponseType`` for a response that
    /// is none of HTTP.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        #if canImport(FoundationNetworking)
        guard session.delegate == nil else { throw UnbridgedSessionError() }
        #endif
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw NetworkError.invalidResponseType }
        return (data, response)
    }
}
