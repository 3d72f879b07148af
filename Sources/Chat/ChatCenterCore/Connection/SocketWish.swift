/// Whether the chat needs a socket, and for what.
package enum SocketWish: Hashable, Sendable {
    case closed(CloseReason)
    case open
    /// A socket is needed only to get a device address; the chat has not been opened yet.
    case preRegistration

    /// Whether a socket is needed.
    var isOpen: Bool {
        if case .closed = self { false } else { true }
    }
}
