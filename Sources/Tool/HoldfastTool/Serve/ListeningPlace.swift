import HoldfastTrust
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The address and the port that a server is to listen on.
struct ListeningPlace: Sendable {
    var host: String
    var port: UInt16

    /// Whether this machine alone reaches the address.
    var isLoopback: Bool { (try? CanonicalHost(host))?.isLoopback == true }

    /// Listens for a moment, so that a port that is taken is found out before a server makes its database and its files.
    ///
    /// Throws one sentence. Another program may take the port between this call and the server's own start.
    func check() async throws(ToolError) {
        guard port != 0 else { return }
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: Int(port)).get()
            try await channel.close()
        } catch {
            let place = "\(Printable.text(host)):\(port)"
            if let error = error as? IOError, error.errnoCode == EADDRINUSE {
                throw ToolError("Another program listens on \(place). --port N takes another port, 0 a free one")
            }
            throw ToolError("no server can listen on \(place): \(ErrorText.sentence(error))")
        }
    }
}
