import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOHTTPTypesHTTP2
import NIOPosix
import NIOResumableUpload
import NIOSSL

/// A server over TLS 1.3 that speaks one protocol: pages over HTTP/1.1 or HTTP/2, or uploads over HTTP/1.1.
///
/// Uploads use the server side of swift-nio-extras for resumable uploads. Other uploads pass through it.
struct PageServer: Sendable {
    enum Service: Sendable {
        case pages(HTTPVersion)
        case uploads
    }

    let port: Int

    /// Runs a server while `body` runs.
    static func with<Value: Sendable>(
        _ service: Service, _ site: NetworkSite, _ body: (PageServer) async throws -> Value
    ) async throws -> Value {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let channel = try await listen(service, try context(service, site), on: group)
            let value = try await body(PageServer(port: channel.localAddress?.port ?? 0))
            try await channel.close()
            try await group.shutdownGracefully()
            return value
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private static func context(_ service: Service, _ site: NetworkSite) throws -> NIOSSLContext {
        let leaf = site.authority.leaf
        let chain = try leaf.chain.map {
            NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: $0, format: .der))
        }
        let key = try NIOSSLPrivateKey(bytes: Array(leaf.privateKeyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv13
        if case .pages(.http2) = service {
            configuration.applicationProtocols = ["h2"]
        } else {
            configuration.applicationProtocols = ["http/1.1"]
        }
        return try NIOSSLContext(configuration: configuration)
    }

    private static func listen(
        _ service: Service, _ tls: NIOSSLContext, on group: any EventLoopGroup
    ) async throws -> any Channel {
        // A relative URL of an upload leads through the relay.
        let uploads = HTTPResumableUploadContext(origin: "")
        return try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    switch service {
                    case .pages(.http1):
                        try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                        try pipeline.configureHTTPServerPipeline()
                        try pipeline.addHandlers([HTTP1ToHTTPServerCodec(secure: true), PageHandler()])
                    case .pages(.http2):
                        try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                        _ = try pipeline.configureHTTP2Pipeline(
                            mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                        ) { stream in
                            stream.eventLoop.makeCompletedFuture {
                                try stream.pipeline.syncOperations.addHandlers([
                                    HTTP2FramePayloadToHTTPServerCodec(), PageHandler(),
                                ])
                            }
                        }
                    case .uploads:
                        try pipeline.addHandlers([ReadingHandler(), NIOSSLServerHandler(context: tls)])
                        try pipeline.configureHTTPServerPipeline()
                        try pipeline.addHandlers([
                            HTTP1ToHTTPServerCodec(secure: true),
                            HTTPResumableUploadHandler(context: uploads) { channel in
                                try? channel.pipeline.syncOperations.addHandler(UploadHandler())
                            },
                        ])
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// Keeps reading. The upload handler holds back reads, but TLS needs them to read the rest of a record.
    private final class ReadingHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelReadComplete(context: ChannelHandlerContext) {
            context.fireChannelReadComplete()
            context.read()
        }
    }
}
