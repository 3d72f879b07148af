/// A line above the messages that describes a problem.
public enum ChatBanner: Hashable, Sendable {
    /// The configuration could not be loaded: "Failed to load chat settings".
    case configurationFailed(TransportFailure)
    /// The configuration lacks a part that the chat requires.
    case configurationIncomplete
    /// The history could not be loaded. The visible messages may be incomplete.
    case historyFailed(TransportFailure)
    /// The connection was lost. The SDK is reconnecting.
    case connectionLost(DisconnectCause)
    /// The server rejected the token.
    case unauthorized(ServerRefusal?)
    /// The store fails. New messages cannot be saved.
    case storeFailed(StoreFailure)
    /// The text that the company shows outside its working hours.
    case outOfHours(String)
}
