import NIOCore
import NIOPosix
import Synchronization

@testable import HoldfastWebSocket

/// A peer that a test controls byte by byte, over a socket with small buffers, after a real upgrade with a connection
/// under test.
final class RawPeer: Sendable {
    /// The connection under test.
    let connection: WebSocketConnection
    /// Encodes the peer's frames.
    let wire: Wire
    private let channel: any Channel
    private let handler: NIOLoopBound<Handler>
    private let stop: @Sendable () async -> Void

    /// The kernel's buffer size at each end, kept small so that a test observes the connection's own buffering. The
    /// kernel uses twice the given value.
    private static let socketBuffer = 16 * 1024

    /// Opens a connection under test with the role `role`.
    static func facing(
        _ role: WebSocketRole, limits: WebSocketLimits = WebSocketLimits(), keepAlive: WebSocketKeepAlive? = nil,
        closeTimeout: Duration = .seconds(5), deflate: WebSocketDeflate? = nil
    ) async throws -> RawPeer {
        switch role {
        case .client:
            let options = WebSocketOptions(
                closeTimeout: closeTimeout, keepAlive: keepAlive, limits: limits, deflate: deflate)
            return try await facingClient(options)
        case .server:
            let options = WebSocketServerOptions(
                limits: limits, keepAlive: keepAlive, closeTimeout: closeTimeout, deflate: deflate)
            return try await facingServer(options)
        }
    }

    private static func facingClient(_ options: WebSocketOptions) async throws -> RawPeer {
        let upgraded = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: NIOLoopBound<Handler>.self)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.socketOption(.so_rcvbuf), value: socketBuffer)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = Handler(upgraded) { head in
                        let extensions = "Sec-WebSocket-Extensions: \(Self.extensions)\r\n"
                        return ScriptedServer.grant(head, extra: options.deflate == nil ? "" : extensions)
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let connection = try await WebSocketClient().connect(
            "ws://127.0.0.1:\(listener.localAddress?.port ?? 0)/", options: options)
        return try await RawPeer(connection, .server, try await upgraded.futureResult.get()) {
            try? await listener.close().get()
        }
    }

    private static func facingServer(_ options: WebSocketServerOptions) async throws -> RawPeer {
        let (connections, continuation) = AsyncStream.makeStream(of: WebSocketConnection.self)
        let service: WebSocketTestServer.Service = { connection, _ in
            continuation.yield(connection)
            continuation.finish()
        }
        let server = try await WebSocketTestServer.start(options: options, service: service)
        let upgraded = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: NIOLoopBound<Handler>.self)
        var request = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        request += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        if options.deflate != nil { request += "Sec-WebSocket-Extensions: \(extensions)\r\n" }
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.so_rcvbuf), value: socketBuffer)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(upgraded) { _ in [] })
                }
            }
            .connect(host: "127.0.0.1", port: server.port).get()
        try await channel.writeAndFlush(ByteBuffer(string: request + "\r\n")).get()
        let handler = try await upgraded.futureResult.get()
        guard let connection = await connections.first(where: { _ in true }) else { throw Failure() }
        return try await RawPeer(connection, .client, handler) { await server.stop() }
    }

    private static let extensions =
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover"

    private struct Failure: Error {}

    private init(
        _ connection: WebSocketConnection, _ sender: WebSocketRole, _ handler: NIOLoopBound<Handler>,
        stop: @escaping @Sendable () async -> Void
    ) async throws {
        self.connection = connection
        self.wire = Wire(sender: sender)
        self.handler = handler
        self.channel = try await handler.eventLoop.submit { try handler.value.channel() }.get()
        self.stop = stop
        // The kernel's send buffer of our end is also small from here on.
        _ = try? await onOurLoop { handler in
            handler.channel?.setOption(.socketOption(.so_sndbuf), value: Self.socketBuffer)
        }?.get()
    }

    func finish() async {
        try? await channel.close().get()
        await stop()
    }

    // MARK: Actions of the peer

    /// Starts to write. The future completes after the write, which may be never.
    @discardableResult
    func write(_ bytes: [UInt8]) -> EventLoopFuture<Void> {
        channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Stops reading.
    func stopReading() async throws {
        try await channel.setOption(.autoRead, value: false).get()
    }

    func readOn() async throws {
        try await channel.setOption(.autoRead, value: true).get()
    }

    /// Closes the peer's direction.
    func closeOutput() async throws {
        try await channel.close(mode: .output).get()
    }

    /// Waits until the received data, or its end, meets a condition. Returns all received data.
    func received(until condition: @escaping @Sendable ([UInt8], _ hasEnded: Bool) -> Bool) async throws -> [UInt8] {
        let handler = handler
        return try await handler.eventLoop.flatSubmit { handler.value.wait(condition) }.get()
    }

    // MARK: State of our end

    /// Runs on the event loop of the connection under test. Returns `nil` if its handler has been removed.
    func onOurLoop<Value: Sendable>(
        _ body: @escaping @Sendable (WebSocketChannelHandler) throws -> Value?
    ) async throws -> Value? {
        let link = connection.link
        return try await link.eventLoop.submit { try link.handler.value.flatMap(body) }.get()
    }

    /// The bytes of messages that wait for their reader.
    var waitingMessages: Int { connection.link.state.withLock { $0.mailbox.waitingBytes } }

    /// Returns the received bytes that do not form a message yet.
    func heldBytes() async throws -> Int { try await onOurLoop { $0.heldBytes } ?? 0 }

    /// The bytes of accepted messages that the socket has not taken.
    var outstandingMessages: Int { connection.link.state.withLock { $0.outbox.outstandingBytes } }

    /// Whether senders wait for space.
    var hasWaitingSenders: Bool { connection.link.state.withLock { $0.outbox.hasWaiters } }

    /// Returns the bytes that the channel has accepted and the kernel has not.
    func bufferedWrites() async throws -> Int {
        try await onOurLoop { try $0.channel?.syncOptions?.getOption(.bufferedWritableBytes) } ?? 0
    }

    /// Waits for a condition on our end's event loop.
    func settles(_ condition: @Sendable () async throws -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if try await condition() { return true }
            // Wait for one turn of the event loop.
            try await connection.link.eventLoop.submit {}.get()
        }
        return false
    }

    /// Waits for the head of the upgrade, answers it if necessary, and keeps the data after it.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let upgraded: EventLoopPromise<NIOLoopBound<Handler>>
        private let answer: (String) -> [UInt8]
        private var head: [UInt8]? = []
        private var bytes: [UInt8] = []
        private var hasEnded = false
        private var waiter: (promise: EventLoopPromise<[UInt8]>, condition: ([UInt8], Bool) -> Bool)?
        private var context: ChannelHandlerContext?

        init(_ upgraded: EventLoopPromise<NIOLoopBound<Handler>>, answer: @escaping (String) -> [UInt8]) {
            self.upgraded = upgraded
            self.answer = answer
        }

        func channel() throws -> any Channel {
            guard let context else { throw Failure() }
            return context.channel
        }

        func wait(_ condition: @escaping ([UInt8], Bool) -> Bool) -> EventLoopFuture<[UInt8]> {
            guard let context else { return upgraded.futureResult.eventLoop.makeFailedFuture(Failure()) }
            let promise = context.eventLoop.makePromise(of: [UInt8].self)
            waiter = (promise, condition)
            check()
            return promise.futureResult
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let new = Array(unwrapInboundIn(data).readableBytesView)
            guard var head else {
                bytes += new
                return check()
            }
            head += new
            let blankLine = Array("\r\n\r\n".utf8)
            guard let end = head.indices.first(where: { head[$0...].starts(with: blankLine) }) else {
                self.head = head
                return
            }
            self.head = nil
            bytes = Array(head[(end + 4)...])
            let answer = answer(String(decoding: head[..<(end + 4)], as: UTF8.self))
            if !answer.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer)), promise: nil) }
            upgraded.succeed(NIOLoopBound(self, eventLoop: context.eventLoop))
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { end() }
        }

        func channelInactive(context: ChannelHandlerContext) {
            if head != nil { upgraded.fail(Failure()) }
            end()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // A reset also ends the connection.
            context.close(promise: nil)
        }

        private func end() {
            hasEnded = true
            check()
        }

        private func check() {
            guard let waiter, waiter.condition(bytes, hasEnded) || hasEnded else { return }
            self.waiter = nil
            waiter.promise.succeed(bytes)
        }
    }
}
