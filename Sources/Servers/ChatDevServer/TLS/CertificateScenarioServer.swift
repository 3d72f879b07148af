public import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A small TLS server that presents one identity, valid or not, and answers every request with `200`.
///
/// Use it next to a ``ChatDevServer`` to demonstrate an attack without affecting the server's conversations.
public struct CertificateScenarioServer: Sendable {
    /// The port on 127.0.0.1 that it listens on.
    public let port: Int

    private let channel: any Channel
    private let connections: OpenChannels

    /// Starts a server on a free port, passes it to `body`, and stops it when `body` returns.
    ///
    /// Throws ``ChatDevServerError`` if the identity is unusable or no port is available.
    public static func with<Result>(
        presenting identity: TLSIdentity, logger: Logger? = nil,
        _ body: (CertificateScenarioServer) async throws -> Result
    ) async throws -> Result {
        let server = try await CertificateScenarioServer(presenting: identity, logger: logger)
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    private init(presenting identity: TLSIdentity, logger: Logger?) async throws {
        let context = try identity.makeContext(for: ["http/1.1"])
        let connections = OpenChannels()
        do {
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    connections.add(channel)
                    return channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(NIOSSLServerHandler(context: context))
                        try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(10)))
                        try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                        try pipeline.addHandler(FixedResponder(logger: logger))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
        } catch {
            throw ChatDevServerError(
                .cannotListen, reason: "A scenario server cannot listen on 127.0.0.1.", underlying: error)
        }
        self.connections = connections
        self.port = channel.localAddress?.port ?? 0
    }

    private func stop() async {
        // The call fails if the channel is already closed, which is fine.
        try? await channel.close().get()
        await connections.closeAll()
    }
}

/// Answers every request with the same small JSON body and closes the connection.
final class FixedResponder: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let body = #"{"answer":"from the scenario server"}"#
    private let logger: Logger?

    init(logger: Logger?) {
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Request bodies are read and ignored.
        guard case .end = unwrapInboundIn(data) else { return }
        let headers: HTTPHeaders = [
            "content-type": "application/json", "content-length": "\(Self.body.utf8.count)", "connection": "close",
        ]
        context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: .ok, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: Self.body)))), promise: nil)
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in loopBound.value.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        context.close(promise: nil)
    }

    /// A client that refuses the certificate ends the connection here, which is the purpose of this server.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger?.debug("A connection to the scenario server failed", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }
}

/// The accepted connections of a server. They are closed with the server.
final class OpenChannels: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// Tracks the channel until it is closed.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        channels.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { _ in
            self.channels.withLock { $0[id] = nil }
        }
    }

    /// Closes all open channels and waits until they are closed.
    func closeAll() async {
        for channel in channels.withLock({ Array($0.values) }) {
            try? await channel.close().get()
        }
    }
}
