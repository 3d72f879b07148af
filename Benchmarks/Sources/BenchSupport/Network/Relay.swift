import NIOCore
import NIOPosix

/// A TCP relay between clients and a server on this machine. It counts the bytes, and delays, limits and cuts them.
///
/// The round trip, the rate and the queue are those of a ``NetworkProfile``. With `chargesConnections`, a new
/// connection forwards nothing during one round trip, like a TCP handshake over such a network.
package struct Relay: Sendable {
    package let port: Int
    package let traffic: Traffic
    private let hub: NIOLoopBound<RelayHub>
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup

    /// Runs a relay while `body` runs.
    package static func with<Value: Sendable>(
        to port: Int, through network: NetworkProfile = .unlimited, chargesConnections: Bool = true,
        _ body: (Relay) async throws -> Value
    ) async throws -> Value {
        let relay = try await start(to: port, network, chargesConnections: chargesConnections)
        do {
            let value = try await body(relay)
            try await relay.stop()
            return value
        } catch {
            try? await relay.stop()
            throw error
        }
    }

    /// Resets all open connections at both ends. Returns their number.
    package func cut() async throws -> Int {
        try await channel.eventLoop.submit { [hub] in hub.value.cutAll() }.get()
    }

    /// Resets all open connections after clients have sent a number of bytes, once.
    ///
    /// - Parameter isReleased: Whether the cut may happen at once. Otherwise the relay stops reading from clients after
    ///   the bytes, and waits for ``releaseCut()``.
    package func planCut(after bytes: Int, isReleased: Bool) async throws {
        try await channel.eventLoop.submit { [hub] in
            hub.value.planCut(after: bytes, isReleased: isReleased)
        }.get()
    }

    /// Permits the planned cut. Returns immediately.
    package func releaseCut() {
        channel.eventLoop.execute { [hub] in hub.value.releaseCut() }
    }

    // MARK: Starting and stopping

    private static func start(
        to port: Int, _ network: NetworkProfile, chargesConnections: Bool
    ) async throws -> Relay {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let hub = try await loop.submit {
            NIOLoopBound(RelayHub(network, chargesConnections: chargesConnections, on: loop), eventLoop: loop)
        }.get()
        let traffic = try await loop.submit { hub.value.traffic }.get()
        var bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in connect(client, to: port, hub) }
        // The kernel's buffers belong to the simulated queue. Their default size is that of a fast network.
        if network.rate != nil { bootstrap = bootstrap.serverChannelOption(.socketOption(.so_rcvbuf), value: 65_536) }
        let channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        return Relay(
            port: channel.localAddress?.port ?? 0, traffic: traffic, hub: hub, channel: channel, group: group)
    }

    private static func connect(
        _ client: any Channel, to port: Int, _ hub: NIOLoopBound<RelayHub>
    ) -> EventLoopFuture<Void> {
        let network = hub.value.network
        let opensAt = NIODeadline.now() + (hub.value.chargesConnections ? TimeAmount(network.roundTrip) : .zero)
        var bootstrap = ClientBootstrap(group: client.eventLoop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.autoRead, value: false)
        if network.rate != nil { bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: 65_536) }
        return bootstrap.connect(host: "127.0.0.1", port: port).flatMapThrowing { server in
            let hub = hub.value
            let connection = RelayConnection(hub, client: client, server: server, opensAt: opensAt)
            let up = RelayHandler(connection, hub, to: server, isUp: true)
            let down = RelayHandler(connection, hub, to: client, isUp: false)
            up.opposite = down
            down.opposite = up
            try client.pipeline.syncOperations.addHandler(up)
            try server.pipeline.syncOperations.addHandler(down)
            hub.opened(connection)
        }
    }

    private func stop() async throws {
        try await channel.close()
        try await group.shutdownGracefully()
    }
}
