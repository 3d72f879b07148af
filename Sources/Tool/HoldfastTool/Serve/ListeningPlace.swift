import HoldfastBase
import HoldfastSystem
import HoldfastTrust
import NIOCore

/// The address and port for a server to listen on.
struct ListeningPlace: Sendable {
    var host: String
    var port: UInt16

    /// Whether only this machine can reach the address.
    var isLoopback: Bool { (try? CanonicalHost(host))?.isLoopback == true }

    /// Binds the port briefly to detect that it is in use, before a server creates its database and its files. Does not
    /// listen: a client that waits for the server must not be accepted before the server starts.
    ///
    /// Throws one sentence. Another program may bind the port between this call and the server's own start. Blocks the
    /// calling thread while a name is resolved.
    func check() throws(ToolError) {
        guard port != 0 else { return }
        do {
            try bindOnce()
        } catch {
            let place = "\(Printable.text(host)):\(port)"
            if let error = error as? SystemError, error.number == EADDRINUSE {
                throw ToolError(
                    "Another program listens on \(place). Choose another port with --port N, "
                        + "or a free one with --port 0")
            }
            throw ToolError("cannot listen on \(place): \(ErrorText.sentence(error))")
        }
    }

    private func bindOnce() throws {
        let address = try SocketAddress.makeAddressResolvingHost(host, port: Int(port))
        let descriptor = socket(CInt(address.protocol.rawValue), SystemCalls.streamSocket, 0)
        guard descriptor >= 0 else { throw SystemError.last }
        defer { _ = close(descriptor) }
        // As for the server's own socket: connections that a process before this one had do not prevent the start.
        var isShared: CInt = 1
        let length = socklen_t(MemoryLayout<CInt>.size)
        guard setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, length) == 0,
            address.withSockAddr({ bind(descriptor, $0, socklen_t($1)) }) == 0
        else { throw SystemError.last }
    }
}
