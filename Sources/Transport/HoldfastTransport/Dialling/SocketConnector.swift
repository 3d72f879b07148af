package import NIOCore
package import NIOPosix
import HoldfastNIO

/// Opens TCP sockets. Several addresses of one name are raced by NIO's Happy Eyeballs (RFC 8305).
/// NIO turns off the delay of small segments (`TCP_NODELAY`) by itself.
package struct SocketConnector: Connector {
    private let resolver: (any Resolver & Sendable)?

    /// `resolver` takes the place of the system's.
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
        // A literal needs no name server, nor the thread that a system look-up blocks.
        if let address = try? SocketAddress(ipAddress: host, port: Int(port)) {
            return bootstrap.connect(to: address)
        }
        return bootstrap.connect(host: host, port: Int(port))
    }
}
