public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests over the platform's default connections, or over your own `URLSession` with your own delegate.
///
/// `URLSessionTransport()` verifies servers like App Transport Security: TLS 1.2 or later, cipher suites with forward
/// secrecy, and no cleartext. On Apple platforms it uses `URLSession.shared`. On Linux it uses Holdfast's client
/// (``HTTPClientTransport``), because libcurl accepts RSA key exchange and cleartext.
///
/// With your own session, the session determines the trust, cipher suites, timeouts and cache. On Linux:
///
/// - A session made by `URLSession(pinnedBy:configuration:delegate:delegateQueue:)` is used directly.
/// - For a native session without a delegate, only its configuration is used. Requests go over the transport's own
///   session with libcurl, the machine's roots and libcurl's cipher suites. The transport follows redirects by the
///   rules of ``HTTPClientTransport``, because a native session's redirects cannot be controlled.
///   `invalidateAndCancel()` of your session does not end these requests; cancelling the task does.
/// - A native session with a delegate is refused with ``UnbridgedSessionError``. It never asks its delegate about a
///   server, so a delegate that pins would have no effect. Use ``PinningTransport``, or an ``HTTPClientTransport`` with
///   `TrustContext.delegate(_:of:task:policy:anchors:logs:certificatePolicies:logger:)`.
///
/// Cleartext to other machines is refused for every session.
///
/// With every session, the access token of ``HTTPNetworkService`` and ``ReauthTransport`` stays with its origin on
/// redirects.
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

    /// Wraps a session. On Linux, the configuration of a native session is copied now.
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

    /// Sends a request and returns the response with its whole body.
    ///
    /// - Throws: The session's error; for a pinned session, or without a session, that is Holdfast's own error. A
    ///   `TransportError` with the code `cleartextRefused`, or for a redirect that is not followed.
    ///   ``UnbridgedSessionError``. ``NetworkError/invalidResponseType`` for a response of a protocol other than HTTP.
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

/// An error for a native `URLSession` with a delegate on Linux, where the delegate would not be asked about servers.
/// Nothing was sent.
///
/// - Remedy: Use `URLSession(pinnedBy:)`, or `URLSessionTransport()` without a session.
public struct UnbridgedSessionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Makes the error.
    public init() {}

    /// A description with the required change.
    public var description: String {
        "This session cannot be used. \(NativeSessionWarning.hint)"
    }
}
