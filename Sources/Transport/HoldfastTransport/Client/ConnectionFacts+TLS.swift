import HoldfastNIO

extension ConnectionFacts {
    /// Creates the facts from the result of a TLS handshake.
    init(_ facts: TLSFacts, remoteAddress: String) {
        self.init(
            verdict: facts.verdict, tlsVersion: facts.version, cipherSuite: facts.cipherSuite,
            applicationProtocol: facts.applicationProtocol, remoteAddress: remoteAddress, presented: facts.presented)
    }
}
