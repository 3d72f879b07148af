import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

/// What an upgrade settled.
struct WebSocketFacts: Hashable, Sendable {
    /// The address and port at the other end of the socket.
    var address: String
    /// `TLSv1.2` or `TLSv1.3`; `nil` without TLS.
    var tlsVersion: String?
    /// The IANA name of the cipher suite.
    var cipherSuite: String?
    /// The code of the finding that let the server through; `nil` without TLS.
    var finding: String?
    var subprotocol: String?
    /// Whether permessage-deflate was agreed on.
    var usesDeflate = false
}

extension WebSocketFacts {
    init(_ connection: WebSocketConnection) {
        self.init(
            address: Printable.text(connection.facts.remoteAddress), tlsVersion: connection.facts.tlsVersion,
            cipherSuite: connection.facts.cipherSuite,
            finding: connection.facts.verdict?.decidingFinding.code.rawValue,
            subprotocol: connection.subprotocol.map { Printable.text($0) }, usesDeflate: connection.usesDeflate)
    }
}
