import HoldfastTransport
import HoldfastTrust

/// What a handshake settled, as a probe shows it.
struct ProbeConnection: Hashable, Sendable {
    /// What is offered by ALPN.
    static let offered = ["h2", "http/1.1"]

    /// The address and port at the other end of the socket: of the proxy, where there is one.
    var address: String
    /// `TLSv1.2` or `TLSv1.3`.
    var version: String?
    /// The IANA name of the cipher suite.
    var cipherSuite: String?
    /// What the server chose by ALPN.
    var applicationProtocol: String?

    init(_ facts: ConnectionFacts) {
        address = Printable.text(facts.remoteAddress)
        version = facts.tlsVersion
        cipherSuite = facts.cipherSuite
        applicationProtocol = facts.applicationProtocol.map { Printable.text($0) }
    }
}
