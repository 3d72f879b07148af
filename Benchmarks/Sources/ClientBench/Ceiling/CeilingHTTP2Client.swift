import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// A minimal HTTP/2 client as an upper limit of what NIO permits: one connection, and one stream and one continuation
/// per request.
final class CeilingHTTP2Client: Contestant {
    private let port: Int
    private let tls: CeilingTLS
    private let headers: HPACKHeaders
    private let connection = Mutex<Task<CeilingHTTP2Connection, any Error>?>(nil)

    init(_ scenario: Scenario, _ site: Site, path: String) throws {
        self.port = site.port(scenario)
        self.tls = try CeilingTLS(site, .http2)
        self.headers = [
            ":method": "GET", ":scheme": "https", ":authority": "\(Site.host):\(port)", ":path": path,
            "user-agent": "bench", "accept-encoding": "gzip, deflate",
        ]
    }

    func get() async throws -> Int {
        let dial = connection.withLock { connection in
            if let connection { return connection }
            let dial = Task { try await self.connect() }  // reason: all requests wait for this one connection
            connection = dial
            return dial
        }
        let connection = try await dial.value
        return try await withUnsafeThrowingContinuation { continuation in
            connection.send(headers, continuation)
        }.readableBytes
    }

    func shutDown() async throws {
        try? await connection.withLock { $0 }?.value.channel.close()
    }

    private func connect() async throws -> CeilingHTTP2Connection {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    // The same sizes as Holdfast's.
                    var connection = NIOHTTP2Handler.ConnectionConfiguration()
                    connection.targetWindowSize = 16 << 20
                    var stream = NIOHTTP2Handler.StreamConfiguration()
                    stream.targetWindowSize = 1 << 20
                    let handler = NIOHTTP2Handler(
                        mode: .client, eventLoop: channel.eventLoop, connectionConfiguration: connection,
                        streamConfiguration: stream
                    ) { $0.eventLoop.makeSucceededVoidFuture() }
                    try channel.pipeline.syncOperations.addHandlers([self.tls.handler(), handler])
                    let multiplexer = try handler.syncMultiplexer()
                    return CeilingHTTP2Connection(
                        channel: channel, multiplexer: NIOLoopBound(multiplexer, eventLoop: channel.eventLoop))
                }
            }
    }
}
