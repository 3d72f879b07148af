public import HoldfastNIO
public import HoldfastTrust

/// The reason why a connection, a request or an exchange of messages failed.
///
/// Both the HTTP client and the WebSocket client throw this error. Compare ``code`` with the constants of
/// ``Code-swift.struct``; the other properties hold the details.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure: a stable value that is safe as a metric label.
    public var code: Code
    /// The phase in which the failure happened.
    public var phase: Phase
    /// A human-readable sentence with the details. It never contains a header value, a body or a credential.
    public var reason: String
    /// The complete verdict on the server. It is set if and only if ``code`` is ``Code-swift.struct/trustRefused``.
    public var verdict: TrustVerdict?
    /// The TLS handshake failure, if ``code`` is ``Code-swift.struct/tlsHandshakeFailed``.
    public var handshake: HandshakeFailure?
    /// The defect of the response, if ``code`` is ``Code-swift.struct/malformedResponse`` and the peer sent HTTP.
    public var defect: ResponseDefect?
    /// The failure of the proxy, if ``code`` is ``Code-swift.struct/proxyFailed``.
    public var proxy: ProxyFailure?
    /// The addresses that were tried, each with its system error.
    public var attempts: [DialAttempt]

    /// Creates an error other than a refusal by the trust evaluation.
    public init(
        _ code: Code, in phase: Phase, _ reason: String, handshake: HandshakeFailure? = nil,
        attempts: [DialAttempt] = []
    ) {
        self.code = code
        self.phase = phase
        self.reason = reason
        self.handshake = handshake
        self.attempts = attempts
    }

    /// Creates the error for a server that the trust evaluation refused.
    public init(refused verdict: TrustVerdict) {
        self.init(.trustRefused, in: .tls, verdict.description)
        self.verdict = verdict
    }

    /// The code and the reason.
    public var description: String { "\(code) (\(phase)): \(reason)" }
}

extension TransportError {
    /// The progress of a connection or an exchange.
    public enum Phase: String, Hashable, Sendable, CustomStringConvertible {
        /// Checking the request, before connecting.
        case preparing
        /// Waiting for a connection while all permitted connections are busy.
        case waiting
        /// Resolving the name and connecting the socket.
        case connecting
        /// Asking a proxy to connect to the server, including TLS to the proxy.
        case proxy
        /// The TLS handshake with the server.
        case tls
        /// The upgrade to a WebSocket.
        case upgrading
        /// Sending the request.
        case sending
        /// Waiting for the head of the response.
        case awaitingResponse
        /// Receiving the body of the response.
        case receiving
        /// Exchanging messages on an open connection.
        case open
        /// The total timeout of a request, over all phases.
        case total

        /// The stable name.
        public var description: String { rawValue }
    }
}

/// An attempt to connect to one address, and the system's error.
public struct DialAttempt: Hashable, Sendable {
    /// The address and port, as text.
    public var address: String
    /// The system's error number, if there is one.
    public var errno: Int32?
    /// A description of the error.
    public var reason: String

    /// Creates a record of an attempt.
    public init(address: String, errno: Int32? = nil, reason: String) {
        self.address = address
        self.errno = errno
        self.reason = reason
    }
}
