import DequeModule
import DequeModule
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A minimal HTTP/1.1 client as an upper limit of what NIO permits: codecs, one handler and one continuation per
/// request, and a stack of connections under a lock. It has no timeouts, no cancellation, no limits, no redirects and
/// no error handling.
final class CeilingClient: Contestant {
    private struct Storage {
        var idle: [CeilingConnection] = []
        var open = 0
        var waiting: Deque<CheckedContinuation<CeilingConnection?, Never>> = []
        var all: [any Channel] = []
    }

    private let scenario: Scenario
    private let port: Int
    private let tls: CeilingTLS?
    private let head: HTTPRequestHead
    private let storage = Mutex(Storage())

    init(_ scenario: Scenario, _ site: Site, path: String) throws {
        self.scenario = scenario
        self.port = site.port(scenario)
        self.tls = scenario.isSecure ? try CeilingTLS(site, .http1) : nil
        self.head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: path,
            headers: [
                "Host": "\(Site.host):\(port)", "User-Agent": "bench", "Accept-Encoding": "gzip, deflate",
            ])
    }

    func get() async throws -> Int {
        let connection = try await connection()
        return try await withUnsafeThrowingContinuation { continuation in
            connection.send(head, continuation) { self.finished($0) }
        }.readableBytes
    }

    func shutDown() async throws {
        for channel in storage.withLock(\.all) { try? await channel.close() }
    }

    private func connection() async throws -> CeilingConnection {
        let idle = await withCheckedContinuation { continuation in
            let taken = storage.withLock { storage -> CeilingConnection?? in
                if let idle = storage.idle.popLast() { return .some(idle) }
                if storage.open < scenario.connections {
                    storage.open += 1
                    return .some(nil)
                }
                storage.waiting.append(continuation)
                return .none
            }
            if let taken { continuation.resume(returning: taken) }
        }
        if let idle { return idle }
        return try await connect()
    }

    private func connect() async throws -> CeilingConnection {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls = self.tls { try pipeline.addHandler(tls.handler()) }
                    try pipeline.addHTTPClientHandlers()
                    let handler = CeilingHandler()
                    try pipeline.addHandler(handler)
                    return CeilingConnection(
                        channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop))
                }
            }
        if !scenario.isFresh { storage.withLock { $0.all.append(connection.channel) } }
        return connection
    }

    private func finished(_ connection: CeilingConnection) {
        if scenario.isFresh { connection.channel.close(promise: nil) }
        let waiting = storage.withLock { storage -> CheckedContinuation<CeilingConnection?, Never>? in
            if let next = storage.waiting.popFirst() { return next }
            if scenario.isFresh { storage.open -= 1 } else { storage.idle.append(connection) }
            return nil
        }
        waiting?.resume(returning: scenario.isFresh ? nil : connection)
    }
}
