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
/// cache. On Linux:
///
/// - A session that `URLSession(pinnedBy:configuration:delegate:delegateQueue:)` has made is used as it is.
/// - A native session without a delegate lends its configuration: requests go over a session of the transport's own, which libcurl
///   carries, by the machine's roots and with libcurl's cipher suites. A native session's redirects cannot be controlled, so the
///   transport follows them itself, by the rules of ``HTTPClientTransport``. `invalidateAndCancel()` of your session does not end
///   these requests; cancelling the task does.
/// - A native session with a delegate is refused with ``UnbridgedSessionError``: it never asks its delegate about a server, so that a
///   delegate that pins would silently not. Use ``PinningTransport``, or a ``HTTPClientTransport`` with
///   `TrustContext.delegate(_:of:task:policy:anchors:logger:)`.
///
/// Cleartext to other machines is refused for every session.
///
/// Whatever the session, the access token of ``HTTPNetworkService`` and ``ReauthTransport`` stays with its origin on redirects.
public struct URLSessionTransport: HTTPTransportProtocol {
    #if canImport(FoundationNetworking)
    private enum Carrier {
        case holdfast(HTTPClientTransport)
        case pinned(PinnedURLSession)
        case native(NativeCarrier)
        case unbridged
    }

    private let carrier: Carrier
    #else
    private let session: URLSession
    #endif

    /// Uses the platform's default connections.
    public init() {
        #if canImport(FoundationNetworking)
        carrier = .holdfast(HTTPClientTransport())
        #else
        session = .shared
        #endif
    }

    /// Wraps a session. On Linux the configuration of a native session is copied here.
    public init(session: URLSession) {
        #if canImport(FoundationNetworking)
        if let session = session as? PinnedURLSession {
            carrier = .pinned(session)
        } else if session.delegate == nil {
            carrier = .native(NativeCarrier(configuration: session.configuration))
        } else {
            carrier = .unbridged
        }
        #else
        self.session = session
        #endif
    }

    /// Throws what the session throws (for a pinned session and without a session that is Holdfast's own error), a `TransportError`
    /// with the code `cleartextRefused` or that of a redirect that is not followed, ``UnbridgedSessionError``, or ``NetworkError/invalidResponseType`` for a response of another
    /// protocol than HTTP.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        #if canImport(FoundationNetworking)
        switch carrier {
        case .holdfast(let transport): return try await transport.data(for: request)
        case .unbridged: throw UnbridgedSessionError()
        case .pinned(let session):
            do {
                return try await session.holdfastData(for: request)
            } catch let error as URLError {
                throw error.holdfastError ?? error
            }
        case .native(let native):
            let (data, response) = try await native.data(for: request)
            guard let response = response as? HTTPURLResponse else { throw NetworkError.invalidResponseType }
            return (data, response)
        }
        #else
        let redirects = RedirectGuard(request)
        let (data, response) = try await session.data(for: request, delegate: redirects)
        if redirects.hasLeftOrigin { TokenCall.leftOrigin() }
        guard let response = response as? HTTPURLResponse else { throw NetworkError.invalidResponseType }
        return (data, response)
        #endif
    }
}

/// A `URLSession` has a delegate that would not be asked about servers: on Linux the native session never does. Nothing was
/// sent.
public struct UnbridgedSessionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Makes the error.
    public init() {}

    public var description: String {
        "This session cannot be used. \(NativeSessionWarning.hint)"
    }
}
