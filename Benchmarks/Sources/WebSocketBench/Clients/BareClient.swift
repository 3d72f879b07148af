import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

/// A client that uses NIOWebSocket only.
enum BareClient {
    /// Connects, upgrades, and calls `open` to add the handlers after NIO's codec.
    static func connect<Value: Sendable>(
        port: Int, tls: NIOSSLContext?, _ open: @escaping @Sendable (any Channel) -> EventLoopFuture<Value>
    ) async throws -> Value {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: Site.host))
                    }
                    let upgrader = NIOTypedWebSocketClientUpgrader<Value>(maxFrameSize: 16 << 20) { channel, _ in
                        open(channel)
                    }
                    let head = HTTPRequestHead(
                        version: .http1_1, method: .GET, uri: "/", headers: ["host": "\(Site.host):\(port)"])
                    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: .init(
                            upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                                upgradeRequestHead: head, upgraders: [upgrader],
                                notUpgradingCompletionHandler: { channel in
                                    channel.eventLoop.makeFailedFuture(
                                        WrongEcho(what: "The server did not accept the upgrade."))
                                })))
                }
            }.get()
    }
}
