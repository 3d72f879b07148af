import HTTPTypes
import HoldfastTestSupport
import HoldfastWebSocket
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server for `holdfast ws`, on a free port of loopback, and the outcome of its connections.
final class WebSocketPeer: Sendable {
    /// Handles an open connection. The channel allows sending what no connection would send.
    typealias Service = @Sendable (WebSocketConnection, WebSocketUpgradeRequest, any Channel) async -> Void

    let port: Int
    private let listener: any Channel
    private let ends: AsyncStream<WebSocketClosure?>

    /// Runs `body` with a server.
    static func with<R: Sendable>(
        identity: Identity? = nil, options: WebSocketServerOptions = WebSocketServerOptions(keepAlive: nil),
        decide: @escaping @Sendable (WebSocketUpgradeRequest) -> WebSocketDecision = { _ in .accept() },
        service: @escaping Service = WebSocketPeer.echo, _ body: @Sendable (WebSocketPeer) async throws -> R
    ) async throws -> R {
        let tls = try identity.map(context)
        let upgrader = WebSocketUpgrader(options: options) { request, loop in
            loop.makeSucceededFuture(decide(request))
        }
        let ends = AsyncStream.makeStream(of: WebSocketClosure?.self)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    let outcome = try upgrader.configure(channel) { $0.close() }
                    outcome.whenSuccess { outcome in
                        guard case .webSocket(let connection, let request) = outcome else { return }
                        // reason: a server's connections have no parent task
                        Task {
                            await service(connection, request, channel)
                            ends.continuation.yield(connection.closure)
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let peer = WebSocketPeer(listener: listener, ends: ends.stream)
        do {
            let result = try await body(peer)
            try await listener.close()
            return result
        } catch {
            try? await listener.close()
            throw error
        }
    }

    private init(listener: any Channel, ends: AsyncStream<WebSocketClosure?>) {
        self.listener = listener
        self.ends = ends
        self.port = listener.localAddress?.port ?? 0
    }

    /// The URL for a server without TLS.
    var url: String { "ws://127.0.0.1:\(port)/chat" }

    /// Returns how the next connection that ends has ended, as the server sees it.
    func end() async -> WebSocketClosure? {
        var ends = ends.makeAsyncIterator()
        return await ends.next() ?? nil
    }

    /// Echoes every message.
    static let echo: Service = { connection, _, _ in
        do {
            for try await message in connection.messages { try await connection.send(message) }
        } catch {}
    }

    private static func context(_ identity: Identity) throws -> NIOSSLContext {
        let chain = try identity.chain.map {
            NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: $0, format: .der))
        }
        let key = try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key)))
    }
}
