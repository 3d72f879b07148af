/// Whose message it is, and what became of it.
package enum MessageState: Hashable, Sendable {
    /// How far the client's reading of it is known.
    package enum Reading: String, Hashable, Sendable {
        case unread
        /// Read here, the server has not confirmed that it knows.
        case readHere
        case read
    }

    case received(Reading)
    case own(Delivery)
}
