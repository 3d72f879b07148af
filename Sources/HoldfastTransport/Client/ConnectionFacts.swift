public import HoldfastTrust

/// What is known about a connection once it stands.
public struct ConnectionFacts: Sendable {
    /// The judgement on the server; `nil` without TLS.
    public var verdict: TrustVerdict?
    /// `TLSv1.2` or `TLSv1.3`; `nil` without TLS.
    public var tlsVersion: String?
    /// The IANA name of the cipher suite; `nil` without TLS.
    public var cipherSuite: String?
    /// What both ends agreed on by ALPN, if anything.
    public var applicationProtocol: String?
    /// The address and port of the other end of the socket, as text.
    public var remoteAddress: String
    /// What the server sent; `nil` without TLS.
    public var presented: PresentedChain?

    package init(
        verdict: TrustVerdict? = nil, tlsVersion: String? = nil, cipherSuite: String? = nil,
        applicationProtocol: String? = nil, remoteAddress: String, presented: PresentedChain? = nil
    ) {
        self.verdict = verdict
        self.tlsVersion = tlsVersion
        self.cipherSuite = cipherSuite
        self.applicationProtocol = applicationProtocol
        self.remoteAddress = remoteAddress
        self.presented = presented
    }
}
