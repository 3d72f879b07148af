/// A step of the handshake that makes a socket ready for messages.
public enum HandshakeStep: String, Hashable, Sendable, CaseIterable {
    /// Dial, TLS handshake and WebSocket upgrade.
    case upgrade
    /// `registerDevice` and its reply.
    case registerDevice
    /// CLIENT_INFO and its reply.
    case clientInfo
}
