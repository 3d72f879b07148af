/// A line above the messages that says what is wrong, with the reason.
public enum ChatBanner: Hashable, Sendable {
    /// "Failed to load chat settings".
    case configurationFailed(TransportFailure)
    /// The configuration came without a part that the chat cannot do without.
    case configurationIncomplete
    /// The history could not be loaded; what is shown may not be all.
    case historyFailed(TransportFailure)
    /// There is no connection; another one is tried.
    case connectionLost(DisconnectCause)
    /// The server does not accept the token.
    case unauthorized(ServerRefusal?)
    /// The store takes nothing: new messages cannot be kept.
    case storeFailed(StoreFailure)
    /// The text that the company shows outside of its hours.
    case outOfHours(String)
}
