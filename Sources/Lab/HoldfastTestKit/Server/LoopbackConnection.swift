/// What a ``LoopbackServer`` has seen of one connection.
public struct LoopbackConnection: Hashable, Sendable {
    /// The number of the connection in the order of acceptance, from zero.
    public let number: Int
    /// Whether the client started a TLS handshake.
    public internal(set) var startedTLS = false
    /// Whether the TLS handshake was completed from the server's view.
    public internal(set) var completedTLS = false
    /// The number of bytes that the client sent inside TLS after the handshake. On a server without TLS, all bytes.
    public internal(set) var applicationBytes = 0
    /// The number of bytes that the client sent to a TLS server without TLS.
    public internal(set) var cleartextBytes = 0
    /// Whether the connection is open.
    public internal(set) var isOpen = true

    init(number: Int) {
        self.number = number
    }
}

/// A fault that a ``LoopbackServer`` applies to a connection before the first request.
public enum ConnectionFault: String, Hashable, Sendable, CaseIterable {
    /// The server closes the connection at once.
    case close
    /// The server resets the connection at once.
    case reset
    /// The server reads everything and never answers, not even in the TLS handshake.
    case silence
    /// The server closes the connection after its certificates; without TLS, at once.
    case closeAfterCertificates
}
