import ChatServerCore

/// An outgoing item of a socket.
enum SocketOutput: Hashable, Sendable {
    /// A frame's bytes.
    case frame([UInt8])
    /// The last item: close the socket, with the reason.
    case close(SocketEnd)
}

/// Why the server closes a socket.
enum SocketEnd: Hashable, Sendable {
    /// The core closes it.
    case core(ServerCloseReason)
    /// A script closes it.
    case script(code: UInt16, reason: String)
    /// The server stops.
    case shuttingDown
    /// The database failed.
    case storeFailed
}
