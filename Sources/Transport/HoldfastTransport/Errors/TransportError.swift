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
