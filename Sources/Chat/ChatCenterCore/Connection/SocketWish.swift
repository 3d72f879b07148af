/// Whether there ought to be a socket.
package enum SocketWish: Hashable, Sendable {
    case closed(CloseReason)
    case open
    /// Only to get a device address; nobody looks at a chat yet.
    case preRegistration

    /// There ought to be one.
    var isOpen: Bool {
        if case .closed = self { false } else { true }
    }
}
