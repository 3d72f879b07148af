public import HoldfastTrust

/// The facts of a successful handshake.
public struct TLSFacts: Sendable {
    /// The verdict on the server. It permits the connection.
    public var verdict: TrustVerdict
    /// The certificate chain that the server sent.
    public var presented: PresentedChain
    /// The TLS version: `TLSv1.2` or `TLSv1.3`.
    public var version: String?
    /// The IANA name of the cipher suite.
    public var cipherSuite: String?
    /// The application protocol negotiated by ALPN.
    public var applicationProtocol: String?
}
