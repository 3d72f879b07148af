import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A server on 127.0.0.1 that follows a test's script byte by byte.
public final class ScriptedServer: Sendable {
    /// The configuration of a server.
    public struct Settings: Sendable {
        /// The TLS configuration; `nil` for plain text.
        public var tls: ServerTLS?
        /// The HTTP version of the server. ``onConnect`` and ``readsRequests`` only apply to HTTP/1.1.
        public var version = ScriptedVersion.http1
        /// The maximum number of concurrent streams on an HTTP/2 connection.
        public var concurrentStreams = 100
        /// The first frames on an HTTP/2 connection. Only used if ``onFrame`` is set.
        public var firstFrames: [RawHTTP2Frame] = [.settings(), .settingsAck]
        /// The maximum size of a write of frames, in bytes. Only used if ``onFrame`` is set.
        public var pieces = Int.max
        /// Returns the frames to send after a frame has arrived. The first argument is the number of the connection. If
        /// set, it replaces the script and the whole HTTP/2 implementation.
        public var onFrame: (@Sendable (Int, RawHTTP2Frame) -> [RawHTTP2Frame])?
        /// Whether the server closes the socket after its first TLS flight, which contains its certificate.
        public var closesAfterFirstFlight = false
        /// The actions after a connection is established, with TLS after the handshake.
        public var onConnect: [ScriptedAction] = []
        /// Whether received bytes are parsed as HTTP. If not, they are discarded.
        public var readsRequests = true
        /// Whether the requests are stored for the test. If not, memory does not grow with their number.
        public var keepsRequests = true
        /// Returns the actions after the head of a request has arrived.
        public var onHead: @Sendable (ScriptedRequest) -> [ScriptedAction] = { _ in [] }
        /// Returns the actions after a request is complete.
        public var onRequest: @Sendable (ScriptedRequest) -> [ScriptedAction] = { _ in [] }

        /// Creates a configuration for a server that accepts connections and sends nothing.
        public init(tls: ServerTLS? = nil, version: ScriptedVersion = .http1) {
            self.tls = tls
            self.version = version
            if version == .http2 { self.tls?.applicationProtocols = ["h2"] }
        }
    }

    fileprivate struct Storage {
        var connections: [any Channel] = []
        var requests: [ScriptedRequest] = []
        var closed = 0
        var reset = 0
        var frames: [RawHTTP2Frame] = []
        var waiters: [(count: Int, trigger: Trigger)] = []
        var closeWaiters: [(count: Int, trigger: Trigger)] = []
        var resetWaiters: [(count: Int, trigger: Trigger)] = []
    }

    /// The port on 127.0.0.1.
    public let port: UInt16
    private let channel: any Channel
    private let storage: SharedStorage
    private let version: ScriptedVersion

    fileprivate final class SharedStorage: Sendable {
        let state = Mutex(Storage())
    }

    private init(port: UInt16, channel: any Channel, storage: SharedStorage, version: ScriptedVersion) {
        self.version = version
        self.port = port
        self.channel = channel
        self.storage = storage
    }

    /// Starts a server.
    public static func start(_ settings: Settings) async throws -> ScriptedServer {
        let storage = SharedStorage()
        let context = try settings.tls?.context()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = storage.opened(channel)
                    let pipeline = channel.pipeline.syncOperations
                    if let context, let tls = settings.tls {
                        if settings.closesAfterFirstFlight { try pipeline.addHandler(FirstFlightCloser()) }
                        try pipeline.addHandler(tls.handler(context))
                    }
                    if let onFrame = settings.onFrame {
                        try pipeline.addHandler(
                            FrameScriptHandler(settings, connection: number, onFrame: onFrame) { storage.saw($0) })
                        return
                    }
                    if settings.version == .http2 {
                        try pipeline.addHTTP2(settings, connection: number) {
                            if settings.keepsRequests { storage.received($0) }
                        } abandoned: {
                            storage.abandoned()
                        }
                        return
                    }
                    if settings.readsRequests {
                        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    }
                    try pipeline.addHandler(
                        ScriptHandler(settings, connection: number, waitsForTLS: context != nil) {
                            if settings.keepsRequests { storage.received($0) }
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port.flatMap(UInt16.init) else {
            throw ChannelError.unknownLocalAddress
        }
        return ScriptedServer(port: port, channel: channel, storage: storage, version: settings.version)
    }

    /// Starts a server that responds to every request with these actions.
    public static func start(
        tls: ServerTLS? = nil, version: ScriptedVersion = .http1,
        _ onRequest: @escaping @Sendable (ScriptedRequest) -> [ScriptedAction]
    ) async throws -> ScriptedServer {
        var settings = Settings(tls: tls, version: version)
        settings.onRequest = onRequest
        return try await start(settings)
    }

    /// Starts a server, runs `body` and stops the server, even if `body` throws.
    public static func with<R: Sendable>(
        _ settings: Settings, _ body: @Sendable (ScriptedServer) async throws -> R
    ) async throws -> R {
        let server = try await start(settings)
        do {
            let result = try await body(server)
            try await server.stop()
            return result
        } catch {
            try? await server.stop()
            throw error
        }
    }

    /// Starts a server that responds to every request with these actions, runs `body` and stops the server, even if
    /// `body` throws.
    public static func with<R: Sendable>(
        tls: ServerTLS? = nil, version: ScriptedVersion = .http1,
        _ onRequest: @escaping @Sendable (ScriptedRequest) -> [ScriptedAction],
        _ body: @Sendable (ScriptedServer) async throws -> R
    ) async throws -> R {
        var settings = Settings(tls: tls, version: version)
        settings.onRequest = onRequest
        return try await with(settings, body)
    }

    /// The number of accepted connections.
    public var connectionCount: Int { storage.state.withLock { $0.connections.count } }

    /// The number of open connections.
    public var openCount: Int { storage.state.withLock { $0.connections.count - $0.closed } }

    /// The complete requests in the order of arrival.
    public var requests: [ScriptedRequest] { storage.state.withLock { $0.requests } }

    /// Returns when `count` requests have arrived in total.
    public func waitForRequests(_ count: Int) async {
        let trigger = Trigger()
        let isReached = storage.state.withLock { state in
            if state.requests.count < count { state.waiters.append((count, trigger)) }
            return state.requests.count >= count
        }
        if !isReached { await trigger.wait() }
    }

    /// Returns when `count` connections have been closed in total, by either side.
    public func waitForClosed(_ count: Int) async {
        let trigger = Trigger()
        let isReached = storage.state.withLock { state in
            if state.closed < count { state.closeWaiters.append((count, trigger)) }
            return state.closed >= count
        }
        if !isReached { await trigger.wait() }
    }

    /// The received frames. Only used if ``Settings/onFrame`` is set.
    public var frames: [RawHTTP2Frame] { storage.state.withLock { $0.frames } }

    /// Returns when clients have abandoned `count` exchanges in total: closed connections (HTTP/1.1) or reset streams
    /// (HTTP/2).
    public func waitForAbandoned(_ count: Int) async {
        guard version == .http2 else { return await waitForClosed(count) }
        let trigger = Trigger()
        let isReached = storage.state.withLock { state in
            if state.reset < count { state.resetWaiters.append((count, trigger)) }
            return state.reset >= count
        }
        if !isReached { await trigger.wait() }
    }

    /// Closes every connection and continues to accept new ones. Returns when the connections are closed.
    public func cutConnections() async {
        for channel in storage.state.withLock(\.connections) {
            try? await channel.eventLoop.flatSubmit { channel.closeBelowTLS() }.get()
        }
    }

    /// Stops accepting connections and closes every connection.
    public func stop() async throws {
        try await channel.close()
        await cutConnections()
    }
}

extension ScriptedServer.SharedStorage {
    fileprivate func opened(_ channel: any Channel) -> Int {
        channel.closeFuture.whenComplete { _ in self.closed() }
        return state.withLock { state in
            state.connections.append(channel)
            return state.connections.count - 1
        }
    }

    fileprivate func closed() {
        let triggers = state.withLock { state in
            state.closed += 1
            let reached = state.closeWaiters.filter { $0.count <= state.closed }
            state.closeWaiters.removeAll { $0.count <= state.closed }
            return reached
        }
        for waiter in triggers { waiter.trigger.fire() }
    }

    fileprivate func saw(_ frame: RawHTTP2Frame) {
        state.withLock { $0.frames.append(frame) }
    }

    fileprivate func abandoned() {
        let triggers = state.withLock { state in
            state.reset += 1
            let reached = state.resetWaiters.filter { $0.count <= state.reset }
            state.resetWaiters.removeAll { $0.count <= state.reset }
            return reached
        }
        for waiter in triggers { waiter.trigger.fire() }
    }

    fileprivate func received(_ request: ScriptedRequest) {
        let triggers = state.withLock { state in
            state.requests.append(request)
            let reached = state.waiters.filter { $0.count <= state.requests.count }
            state.waiters.removeAll { $0.count <= state.requests.count }
            return reached
        }
        for waiter in triggers { waiter.trigger.fire() }
    }
}

extension Channel {
    /// Closes the socket without a close_notify alert. Must be called on the event loop.
    func closeBelowTLS() -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        if let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
            tls.close(mode: .all, promise: promise)
        } else {
            close(mode: .all, promise: promise)
        }
        return promise.futureResult.flatMapError { _ in self.eventLoop.makeSucceededVoidFuture() }
    }
}

/// The HTTP version of a scripted server. Scripts are written as HTTP/1.1 for both versions.
public enum ScriptedVersion: Hashable, Sendable, CaseIterable {
    /// HTTP/1.1. The script is sent byte by byte.
    case http1
    /// HTTP/2. The script is translated to frames. TLS servers must negotiate `h2` by ALPN; other clients need prior
    /// knowledge.
    case http2
}
