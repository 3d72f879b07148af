/// Whether a message was received or sent by the client, and its state.
package enum MessageState: Hashable, Sendable {
    /// Whether the client has read a received message.
    package enum Reading: String, Hashable, Sendable {
        case unread
        /// The message was read on this device, but the server has not confirmed it.
        case readHere
        case read
    }

    case received(Reading)
    case own(Delivery)
}
