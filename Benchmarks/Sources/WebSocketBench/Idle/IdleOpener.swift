import HoldfastWebSocket
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Opens connections of one kind of client, lets a message go to and fro on each, and lets them rest.
final class IdleOpener: Sendable {
    /// How many are opened at a time.
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

    /// Opens so many more.
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
        case .holdfast, .python:
            let connection = try await HoldfastClientConnection.open(
                holdfast, port: port, isSecure: isSecure, deflates: false, onLoop: false)
            _ = try await connection.run(text, window: 1, for: .zero)
            Task { await connection.listen() }  // reason: it reads for as long as the process lives
            return connection
        }
    }

    private func used(_ connection: some ClientConnection, _ text: String) async throws -> any ClientConnection {
        _ = try await connection.run(text, window: 1, for: .zero)
        return connection
    }

    /// A channel without a handler, that has sent what a WebSocket sends, and drops what comes.
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
        try await channel.writeAndFlush(PeerConnection.request(port, deflates: false))
        try await channel.writeAndFlush(PeerConnection.frame(MessageText.ascii.text(1024)))
    }

    /// Does something so often, several at a time.
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
