import HoldfastNIO

extension ConnectionFacts {
    /// Takes over what a handshake settled.
    init(_ facts: TLSFacts, remoteAddress: String) {
        self.init(
            verdict: facts.verdict, tlsVersion: facts.version, cipherSuite: facts.cipherSuite,
            applicationProtocol: facts.applicationProtocol, remoteAddress: remoteAddress, presented: facts.presented)
    }
}
