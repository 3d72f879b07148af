import HoldfastNIO
import HoldfastWebSocket
import HoldfastWebSocketTestSupport
import NIOCore
import NIOPosix
import NIOSSL

/// Listening sockets of the servers, on loopback addresses.
enum Listener {
    /// Returns a loopback address: 127.0.0.1 for the number 1.
    static func address(_ number: Int) -> String { "127.0.0.\(number)" }

    /// Opens a listening socket; on a free port if `port` is 0. `prepare` configures each connection above TLS.
    static func open(
        _ tls: NIOSSLContext?, on group: any EventLoopGroup, address: String = Listener.address(1), port: Int = 0,
        prepare: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    try prepare(channel)
                }
            }
            .bind(host: address, port: port).get()
    }

    /// Returns the closure that configures a contestant's connections; `nil` if the contestant runs in another process.
    static func preparation(
        _ contestant: Contestant, deflates: Bool
    ) -> (@Sendable (any Channel) throws -> Void)? {
        let deflate = deflates ? WebSocketDeflate() : nil
        return switch contestant {
        case .nio: { try BareServer.configure($0) }
        case .nioAsync: { try BareServer.configureAsync($0) }
        case .holdfast: { try WebSocketEcho.configure($0, deflate: deflate) }
        case .holdfastOnLoop:
            { channel in
                let executor = EventLoopTaskExecutor(channel.eventLoop)
                try WebSocketEcho.configure(channel, deflate: deflate, executor: executor)
            }
        case .python, .beast, .libwebsockets: nil
        }
    }
}
