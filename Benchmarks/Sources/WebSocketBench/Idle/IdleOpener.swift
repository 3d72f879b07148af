import HoldfastWebSocket
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Opens connections of one client, exchanges one message on each, and keeps them idle.
final class IdleOpener: Sendable {
    /// The number of connections to open concurrently.
    static let atOnce = 64

    private let contestant: IdleContestant
    private let port: Int
    private let isSecure: Bool
    private let context: NIOSSLContext
    private let holdfast: WebSocketClient
    private let open = Mutex<[any ClientConnection]>([])

    init(_ contestant: IdleContestant, _ site: Site, port: Int, isSecure: Bool) throws {
        self.contestant = contestant
        self.port = port
        self.isSecure = isSecure
        self.context = try site.clientContext()
        self.holdfast = try HoldfastClientConnection.client(site)
    }

    /// Opens `count` more connections.
    func open(_ count: Int) async throws {
        try await Self.times(count) {
            guard let connection = try await self.one() else { return }
            self.open.withLock { $0.append(connection) }
        }
    }

    private func one() async throws -> (any ClientConnection)? {
        let tls = isSecure ? context : nil
        let text = MessageText.ascii.text(1024)
        switch contestant {
        case .channel:
            try await Self.bareChannel(port: port, tls: tls)
            return nil
        case .nio:
            return try await used(BareClientConnection.open(port: port, tls: tls), text)
        case .nioAsync:
            return try await used(AsyncClientConnection.open(port: port, tls: tls), text)
        case .holdfast, .python, .beast, .libwebsockets:
            let connection = try await HoldfastClientConnection.open(
                holdfast, port: port, isSecure: isSecure, deflates: false, onLoop: false)
            _ = try await connection.run(text, window: 1, for: .zero)
            Task { await connection.listen() }  // reason: the task reads until the process ends
            return connection
        }
    }

    private func used(_ connection: some ClientConnection, _ text: String) async throws -> any ClientConnection {
        _ = try await connection.run(text, window: 1, for: .zero)
        return connection
    }

    /// Opens a channel without handlers. It sends what a WebSocket client sends and discards received bytes.
    static func bareChannel(port: Int, tls: NIOSSLContext?) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let tls else { return }
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: tls, serverHostname: Site.host))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ReferenceClientConnection.request(port, deflates: false))
        try await channel.writeAndFlush(ReferenceClientConnection.frame(MessageText.ascii.text(1024)))
    }

    /// Runs `body` `count` times, with limited concurrency.
    static func times(_ count: Int, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                if index >= atOnce { try await group.next() }
                group.addTask { try await body() }
            }
            try await group.waitForAll()
        }
    }
}
