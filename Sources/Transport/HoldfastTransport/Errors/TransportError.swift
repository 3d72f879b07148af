public import HoldfastNIO
public import HoldfastTrust

/// Why a connection, a request or an exchange of messages failed.
///
/// Thrown by the HTTP client and by the WebSocket client alike. Compare ``code`` with the constants of ``Code-swift.struct``; the
/// other fields hold the facts.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is: stable, and a safe metric label.
    public var code: Code
    /// In which phase it happened.
    public var phase: Phase
    /// One sentence for a person, with the facts in it. It never holds a header value, a body or a credential.
    public var reason: String
    /// The whole verdict on the server. Not `nil` exactly when ``code`` is ``Code-swift.struct/trustRefused``.
    public var verdict: TrustVerdict?
    /// What went wrong in the TLS handshake, where ``code`` is ``Code-swift.struct/tlsHandshakeFailed``.
    public var handshake: HandshakeFailure?
    /// What is wrong with the response, where ``code`` is ``Code-swift.struct/malformedResponse`` and HTTP was read.
    public var defect: ResponseDefect?
    /// What went wrong with the proxy, where ``code`` is ``Code-swift.struct/proxyFailed``.
    public var proxy: ProxyFailure?
    /// What was tried before a connection failed: each address with its system error.
    public var attempts: [DialAttempt]

    /// Makes an error other than a refusal.
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

    /// Makes the error that says that a server was refused.
    public init(refused verdict: TrustVerdict) {
        self.init(.trustRefused, in: .tls, verdict.description)
        self.verdict = verdict
    }

    public var description: String { "\(code) (\(phase)): \(reason)" }
}
