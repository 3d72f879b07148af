public import HoldfastTrust

/// What a finished handshake settled.
public struct TLSFacts: Sendable {
    /// The judgement on the server. It permits the connection.
    public var verdict: TrustVerdict
    /// What the server sent.
    public var presented: PresentedChain
    /// `TLSv1.2` or `TLSv1.3`.
    public var version: String?
    /// The IANA name of the cipher suite.
    public var cipherSuite: String?
    /// What both ends agreed on by ALPN.
    public var applicationProtocol: String?
}
