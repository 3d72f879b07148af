import HoldfastTestSupport
import HoldfastWebSocket
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A WebSocket server on a free loopback port, with or without TLS. Plain HTTP requests receive status 200 with the
/// body "plain".
final class WebSocketTestServer: Sendable {
    /// The server's behavior on an open connection.
    typealias Service = @Sendable (WebSocketConnection, WebSocketUpgradeRequest) async -> Void

    let port: Int
    private let listener: any Channel
    private let channels: AcceptedChannels

    /// Starts a server.
    static func start(
        identity: Identity? = nil, options: WebSocketServerOptions = WebSocketServerOptions(keepAlive: nil),
        decide: @escaping WebSocketUpgrader.Decide = { _, loop in loop.makeSucceededFuture(.accept()) },
        service: @escaping Service = WebSocketTestServer.echo
    ) async throws -> WebSocketTestServer {
        let tls = try identity.map(tlsContext)
        let upgrader = WebSocketUpgrader(options: options, decide: decide)
        let accepted = AcceptedChannels()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    accepted.note(channel)
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    let outcome = try upgrader.configure(channel) { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                            try channel.pipeline.syncOperations.addHandler(PlainAnswer())
                        }
                    }
                    outcome.whenSuccess { outcome in
                        guard case .webSocket(let connection, let request) = outcome else { return }
                        Task { await service(connection, request) }  // reason: connections have no parent task
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return WebSocketTestServer(listener: listener, accepted: accepted)
    }

    private init(listener: any Channel, accepted: AcceptedChannels) {
        self.listener = listener
        self.channels = accepted
        self.port = listener.localAddress?.port ?? 0
    }

    /// Closes the port and all connections.
    func stop() async {
        try? await listener.close().get()
        for channel in channels.all { try? await channel.close().get() }
    }

    /// Echoes every message.
    static let echo: Service = { connection, _ in
        do {
            for try await message in connection.messages { try await connection.send(message) }
        } catch {}
    }

    static func tlsContext(_ identity: Identity) throws -> NIOSSLContext {
        let chain = try identity.chain.map {
            NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: $0, format: .der))
        }
        let key = try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key)))
    }
}

/// The connections that the server has accepted.
private final class AcceptedChannels: Sendable {
    private let channels = Mutex<[any Channel]>([])

    var all: [any Channel] { channels.withLock { $0 } }

    func note(_ channel: any Channel) {
        channels.withLock { $0.append(channel) }
    }
}

/// Answers every request in the same way.
private final class PlainAnswer: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "5"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "plain")))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
