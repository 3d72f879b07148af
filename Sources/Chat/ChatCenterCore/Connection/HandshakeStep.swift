/// A step on the way to a socket that is ready for messages.
public enum HandshakeStep: String, Hashable, Sendable, CaseIterable {
    /// Dial, TLS and WebSocket upgrade.
    case upgrade
    /// `registerDevice` and its reply.
    case registerDevice
    /// CLIENT_INFO and its reply.
    case clientInfo
}
