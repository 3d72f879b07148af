public import ChatCenterCore

/// Something that the app may want to know. See ``ChatCenterUISDK/events``.
public enum ChatCenterEvent: Sendable {
    /// The configuration and the history of the authorised user are there.
    case authorized(identifier: String)
    /// The configuration or the history could not be fetched.
    case authorizationFailed(ChatAuthorizationError)
    /// The connection changed.
    case connection(ChatConnection)
    /// The number of unread messages.
    case unreadMessages(Int)
    /// A call, a transfer or the socket failed.
    case networkError(ChatNetworkError)
    /// One of the user's messages changed its state.
    case messageState(MessageID, ChatMessageState)
    /// The other side sent messages; the screen holds them.
    case messagesReceived([MessageID])
    /// What was missed is here: so many messages of the other side.
    case gapFilled(Int)
    /// The server does not know any more where the history on this device ends. It was fetched anew from the newest
    /// message back; what lies before may be incomplete.
    case historyReset
    /// The server does not accept the token, and there is no new one: authorise again.
    case reauthorizationNeeded(ServerRefusal?)
    /// The app's ``ChatTokenProvider`` threw this; ``reauthorizationNeeded(_:)`` follows.
    case tokenProviderFailed(any Error)
    /// The values in force changed.
    case configuration(EffectiveConfiguration)
}

/// The connection to the chat server.
public struct ChatConnection: Hashable, Sendable {
    /// How far it is.
    public var phase: ChatConnectionState
    /// What decides whether the server is trusted.
    public var security: ChatConnectionSecurity
}
