import HoldfastNIO
package import NIOCore
package import NIOPosix

/// Opens TCP sockets. NIO races several addresses of a name with Happy Eyeballs (RFC 8305) and sets `TCP_NODELAY`.
package struct SocketConnector: Connector {
    private let resolver: (any Resolver & Sendable)?

    /// Creates a connector. `resolver` replaces the system's resolver.
    package init(resolver: (any Resolver & Sendable)? = nil) {
        self.resolver = resolver
    }

    package func connect(
        host: String, port: UInt16, timeout: Duration, on loop: any EventLoop,
        noting: @escaping @Sendable (any Channel) -> Void
    ) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: loop)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.autoRead, value: false)
            .connectTimeout(TimeAmount(clamping: timeout))
            .resolver(resolver)
            .channelInitializer { channel in
                noting(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
        // An IP address needs no name server, and not the thread that a system lookup blocks.
        if let address = try? SocketAddress(ipAddress: host, port: Int(port)) {
            return bootstrap.connect(to: address)
        }
        return bootstrap.connect(host: host, port: Int(port))
    }
}

/// Opens the socket of a connection. Tests substitute channels without real sockets.
package protocol Connector: Sendable {
    /// Connects to a host or an IP address within `timeout`. Fails with NIO's errors.
    ///
    /// The channel does not read until reads are requested.
    ///
    /// - Parameter noting: Called with each channel before it connects, so that the dial can be cancelled.
    func connect(
        host: String, port: UInt16, timeout: Duration, on loop: any EventLoop,
        noting: @escaping @Sendable (any Channel) -> Void
    ) -> EventLoopFuture<any Channel>
}
