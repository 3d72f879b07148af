import ChatServerCore

/// What goes out over a socket, in order.
enum SocketOutput: Hashable, Sendable {
    /// A frame's bytes.
    case frame([UInt8])
    /// The last thing: close, and why.
    case close(SocketEnd)
}

/// Why a socket ends from this side.
enum SocketEnd: Hashable, Sendable {
    /// The core says so.
    case core(ServerCloseReason)
    /// A script says so.
    case script(code: UInt16, reason: String)
    /// The server stops.
    case shuttingDown
    /// The server cannot store anything.
    case storeFailed
}
