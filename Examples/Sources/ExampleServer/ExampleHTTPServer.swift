import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// A TLS server on the loopback interface that answers "hello" and counts requests. It supports HTTP/1.1 or HTTP/2.
public final class ExampleHTTPServer: Sendable {
    private let channel: any Channel
    private let count: Counter

    /// The server's port.
    public var port: Int { channel.localAddress?.port ?? 0 }
    /// The number of received requests. A refused server must not receive any.
    public var requests: Int { count.value }

    private init(_ channel: any Channel, _ count: Counter) {
        self.channel = channel
        self.count = count
    }

    /// Starts a server. With `http2` it only accepts HTTP/2.
    public static func start(_ identity: ExampleIdentity, http2: Bool = false) async throws -> ExampleHTTPServer {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try identity.chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)))
        configuration.applicationProtocols = [http2 ? "h2" : "http/1.1"]
        let context = try NIOSSLContext(configuration: configuration)
        let count = Counter()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    if http2 {
                        _ = try pipeline.configureHTTP2Pipeline(
                            mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                        ) { stream in
                            stream.eventLoop.makeCompletedFuture {
                                try stream.pipeline.syncOperations.addHandlers([
                                    HTTP2FramePayloadToHTTP1ServerCodec(), Hello(count),
                                ])
                            }
                        }
                    } else {
                        try pipeline.configureHTTPServerPipeline()
                        try pipeline.addHandler(Hello(count))
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return ExampleHTTPServer(channel, count)
    }

    /// Stops listening.
    public func stop() async throws {
        try await channel.close().get()
    }

    private final class Counter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .sequentiallyConsistent) }
        func add() { count.add(1, ordering: .sequentiallyConsistent) }
    }

    private final class Hello: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let count: Counter

        init(_ count: Counter) {
            self.count = count
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            count.add()
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "5"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "hello")))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // A client that refuses the certificate ends the handshake. This is expected.
            context.close(promise: nil)
        }
    }
}
