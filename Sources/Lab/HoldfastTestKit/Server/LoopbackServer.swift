import HoldfastWebSocket
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An HTTP/1.1 and WebSocket server on 127.0.0.1 for the tests of an app, with scripted answers and faults.
///
/// ```swift
/// let site = try PinnedSite()
/// let server = try await LoopbackServer.start(site)
/// server.enqueue(LoopbackAnswer("hello"), LoopbackAnswer(status: 503))
/// let text = try await app.load(server.url)             // the app trusts site.anchors and pins site.policy
/// let request = try await server.nextRequest()
/// await server.stop()
/// ```
///
/// The server listens on a free port until ``stop()``. It can be used from any thread. It does not offer HTTP/2.
public final class LoopbackServer: Sendable {
    /// The script of a server.
    public struct Configuration: Sendable {
        /// Returns the answer to a request for which no answer was enqueued; by default 200 with the text `ok`. Called
        /// on an event loop, so it must not block.
        public var answer: @Sendable (LoopbackRequest) -> LoopbackAnswer = { _ in LoopbackAnswer("ok") }
        /// What the server does with WebSocket connections.
        public var webSocket = LoopbackWebSocket.echo
        /// Returns the fault of a connection by its number, from zero; by default there is none. Called on an event
        /// loop, so it must not block.
        public var fault: @Sendable (Int) -> ConnectionFault? = { _ in nil }
        /// The maximum size of the body of a request, in bytes: 16 MiB by default. A larger one is answered with 413.
        public var maximumRequestBytes = 16 << 20

        /// Creates the default configuration.
        public init() {}

        /// Creates a configuration that answers requests with a closure.
        public init(_ answer: @escaping @Sendable (LoopbackRequest) -> LoopbackAnswer) {
            self.answer = answer
        }
    }

    /// The port on 127.0.0.1.
    public let port: UInt16
    /// The URL of the server's root.
    public let url: URL
    /// The URL of the server's root for WebSocket clients.
    public let webSocketURL: URL
    let record: LoopbackRecord
    private let channel: any Channel

    private init(
        port: UInt16, host: String, isSecure: Bool, record: LoopbackRecord, channel: any Channel
    ) throws {
        guard let url = URL(string: "\(isSecure ? "https" : "http")://\(host):\(port)/"),
            let webSocketURL = URL(string: "\(isSecure ? "wss" : "ws")://\(host):\(port)/")
        else { throw TestKitError(.invalidHost, "\(host) cannot be the host of a URL.") }
        self.port = port
        self.url = url
        self.webSocketURL = webSocketURL
        self.record = record
        self.channel = channel
    }

    // MARK: - Starting and stopping

    /// Starts the server of a site: it presents the site's certificate.
    ///
    /// - Throws: ``TestKitError`` or NIO's error if the server cannot listen.
    public static func start(
        _ site: PinnedSite, _ configuration: Configuration = Configuration()
    ) async throws -> LoopbackServer {
        try await start(host: site.host, LoopbackHandshake(site.identity), configuration)
    }

    /// Starts a server with any handshake, or without TLS.
    ///
    /// - Parameters:
    ///   - host: The host in the URLs. The client must map another host than `localhost` or `127.0.0.1` to 127.0.0.1.
    ///   - handshake: What the server presents; `nil` for cleartext.
    ///   - configuration: The script.
    /// - Throws: ``TestKitError``, or the error of NIO or NIOSSL if the server cannot listen or use its certificate.
    public static func start(
        host: String = "localhost", _ handshake: LoopbackHandshake?, _ configuration: Configuration = Configuration()
    ) async throws -> LoopbackServer {
        let record = LoopbackRecord(configuration)
        let context = try handshake?.context()
        let closesAfterCertificates = handshake?.closesAfterCertificates ?? false
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try configure(channel, record, context, closesAfterCertificates: closesAfterCertificates)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port.flatMap(UInt16.init) else {
            try? await channel.close()
            throw TestKitError(.notListening, "The server's port is unknown.")
        }
        return try LoopbackServer(
            port: port, host: host, isSecure: context != nil, record: record, channel: channel)
    }

    /// Starts the server of a site, runs `body` and stops the server, even if `body` throws.
    public static func with<R: Sendable>(
        _ site: PinnedSite, _ configuration: Configuration = Configuration(),
        _ body: @Sendable (LoopbackServer) async throws -> R
    ) async throws -> R {
        let server = try await start(site, configuration)
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Stops listening and closes all connections. Calls that wait for requests fail with
    /// ``TestKitError/Code/stopped``.
    public func stop() async {
        // The channel may be closed already; there is no other error.
        try? await channel.close()
        record.stop()
    }

    // MARK: - Script and recordings

    /// Adds answers to the script. The next requests get them, in order. If there are no more, the configuration's
    /// closure answers.
    public func enqueue(_ answers: LoopbackAnswer...) {
        record.enqueue(answers)
    }

    /// The received requests, oldest first. At most 10,000 are stored.
    public var requests: [LoopbackRequest] { record.requests.elements }

    /// Returns the oldest request that no earlier call has returned, and waits for it if necessary.
    ///
    /// - Throws: ``TestKitError`` if the server was stopped or the recording is full, or `CancellationError`.
    public func nextRequest() async throws -> LoopbackRequest {
        try await record.requests.next()
    }

    /// Returns the first `count` requests, and waits for them if necessary. Does not affect ``nextRequest()``.
    ///
    /// - Throws: ``TestKitError`` if the server was stopped or the recording is full, or `CancellationError`.
    public func firstRequests(_ count: Int) async throws -> [LoopbackRequest] {
        try await record.requests.first(count)
    }

    /// What the server has seen of each connection, in the order of acceptance. After 10,000 connections, further ones
    /// are closed at once and not listed.
    public var connections: [LoopbackConnection] { record.connections }

    /// Returns when all connections have ended, or after two seconds. An attacker's evidence is complete then.
    func waitForEnds() async {
        await record.waitForEnds(limit: .seconds(2), on: channel.eventLoop)
    }

    // MARK: - Connections

    private static func configure(
        _ channel: any Channel, _ record: LoopbackRecord, _ context: NIOSSLContext?, closesAfterCertificates: Bool
    ) throws {
        guard let number = record.opened(channel) else { return channel.close(promise: nil) }
        let pipeline = channel.pipeline.syncOperations
        let fault = record.configuration.fault(number)
        if let fault, fault != .closeAfterCertificates || context == nil {
            return try pipeline.addHandler(FaultyConnection(fault))
        }
        if let context {
            try pipeline.addHandler(WireObserver(number, record))
            if closesAfterCertificates || fault != nil { try pipeline.addHandler(FirstFlightCloser()) }
            try pipeline.addHandler(NIOSSLServerHandler(context: context))
        }
        try pipeline.addHandler(ApplicationObserver(number, record))
        try serve(channel, number, record)
    }

    /// Adds the WebSocket upgrade and the HTTP server.
    private static func serve(_ channel: any Channel, _ number: Int, _ record: LoopbackRecord) throws {
        let script = record.configuration.webSocket
        let upgrader = WebSocketUpgrader { request, loop in
            record.requests.append(
                LoopbackRequest(
                    connection: number, method: "GET", target: request.target, fields: request.headers,
                    isWebSocketUpgrade: true))
            guard case .refuse(let status) = script else { return loop.makeSucceededFuture(.accept()) }
            return loop.makeSucceededFuture(
                .reject(WebSocketRejection(status: status, reason: "The test server refuses WebSocket connections.")))
        }
        let outcome = try upgrader.configure(channel) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers([
                    ByteToMessageHandler(HTTPRequestDecoder()), AnswerHandler(number, record),
                ])
            }
        }
        outcome.whenSuccess { outcome in
            guard case .webSocket(let connection, _) = outcome else { return }
            Task { await script.serve(connection) }  // reason: the task ends with its connection
        }
    }
}
