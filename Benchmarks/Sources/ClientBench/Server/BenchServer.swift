import BenchSupport
import HoldfastTestSupport
import HoldfastTrust
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

/// Three servers on one separate event loop: HTTP/1.1, HTTP/1.1 over TLS, and HTTP/2 over TLS.
final class BenchServer: Sendable {
    /// The number of streams that the HTTP/2 server allows on one connection.
    static let streams = 1000

    let site: Site
    private let group: MultiThreadedEventLoopGroup
    private let channels: [any Channel]

    private init(site: Site, group: MultiThreadedEventLoopGroup, channels: [any Channel]) {
        self.site = site
        self.group = group
        self.channels = channels
    }

    static func start() async throws -> BenchServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let certificates = try ServerCertificates(leaves: 1)
        let plain = try await listen(on: group) { channel in
            try channel.pipeline.syncOperations.addHandler(HTTP1ServerHandler())
        }
        let http1 = try certificates.contexts(["http/1.1"])[0]
        let secure = try await listen(on: group) { channel in
            try channel.pipeline.syncOperations.addHandlers([
                NIOSSLServerHandler(context: http1), HTTP1ServerHandler(),
            ])
        }
        let http2 = try certificates.contexts(["h2"])[0]
        let multiplexed = try await listen(on: group) { channel in
            try channel.pipeline.syncOperations.addHandlers([
                NIOSSLServerHandler(context: http2), http2Handler(channel),
            ])
        }
        let site = Site(
            root: certificates.root.certificateDER, intermediateKey: certificates.intermediate.spkiDigest.bytes,
            leafKey: certificates.leaves[0].spkiDigest.bytes, plainPort: plain.localAddress?.port ?? 0,
            securePort: secure.localAddress?.port ?? 0,
            http2Port: multiplexed.localAddress?.port ?? 0)
        return BenchServer(site: site, group: group, channels: [plain, secure, multiplexed])
    }

    /// Returns the processor time of the servers' thread, in microseconds.
    func processorTime() async throws -> Double {
        try await group.next().submit { ProcessorTime.ofThread() }.get()
    }

    func stop() async throws {
        for channel in channels { try await channel.close() }
        try await group.shutdownGracefully()
    }

    private static func listen(
        on group: any EventLoopGroup, prepare: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try prepare(channel) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private static func http2Handler(_ channel: any Channel) -> NIOHTTP2Handler {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings.append(HTTP2Setting(parameter: .maxConcurrentStreams, value: streams))
        return NIOHTTP2Handler(
            mode: .server, eventLoop: channel.eventLoop, connectionConfiguration: connection
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(HTTP2ServerHandler())
            }
        }
    }
}
