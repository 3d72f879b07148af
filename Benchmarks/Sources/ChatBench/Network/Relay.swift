import NIOCore
import NIOPosix

/// A TCP relay between a client and a server on this machine. It counts the bytes and can delay them.
///
/// Every byte is delayed by `delay` in each direction. With `chargesConnections`, a new connection forwards nothing
/// during one round trip, like a TCP handshake over such a network.
struct Relay: Sendable {
    let port: Int
    let traffic: Traffic
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup

    /// Runs a relay while `body` runs.
    static func with<Value: Sendable>(
        to port: Int, delay: Duration = .zero, chargesConnections: Bool = true,
        _ body: (Relay) async throws -> Value
    ) async throws -> Value {
        let relay = try await start(
            to: port, delay: TimeAmount(delay), chargesConnections: chargesConnections)
        do {
            let value = try await body(relay)
            try await relay.stop()
            return value
        } catch {
            try? await relay.stop()
            throw error
        }
    }

    private static func start(to port: Int, delay: TimeAmount, chargesConnections: Bool) async throws -> Relay {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let traffic = Traffic()
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // Reading starts when the connection to the server exists.
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                traffic.opened()
                let opensAt = NIODeadline.now() + (chargesConnections ? delay + delay : .zero)
                return ClientBootstrap(group: client.eventLoop)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .channelOption(.autoRead, value: false)
                    .connect(host: "127.0.0.1", port: port)
                    .flatMapThrowing { server in
                        try client.pipeline.syncOperations.addHandler(
                            RelayHandler(to: server, delay: delay, from: opensAt, traffic, isUp: true))
                        try server.pipeline.syncOperations.addHandler(
                            RelayHandler(to: client, delay: delay, from: opensAt, traffic, isUp: false))
                        return server
                    }
                    .flatMap { (server: any Channel) in
                        client.setOption(.autoRead, value: true)
                            .and(server.setOption(.autoRead, value: true)).map { _ in }
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return Relay(
            port: channel.localAddress?.port ?? 0, traffic: traffic, channel: channel, group: group)
    }

    private func stop() async throws {
        try await channel.close()
        try await group.shutdownGracefully()
    }
}
