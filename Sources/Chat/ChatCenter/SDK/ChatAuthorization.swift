/// A user is authorised, and the configuration and history are there.
public struct ChatAuthorization: Hashable, Sendable {
    /// The user's identifier.
    public let identifier: String
    /// The number of unread messages.
    public let unreadMessages: Int
    /// The settings in force.
    public let configuration: ChatEffectiveConfig
}
