public import ChatCenterCore

/// The connection to the chat server.
public struct ChatConnection: Hashable, Sendable {
    /// How far it is.
    public var phase: ChatConnectionState
    /// What decides whether the server is trusted.
    public var security: ChatConnectionSecurity
}
