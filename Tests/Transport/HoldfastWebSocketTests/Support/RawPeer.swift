import NIOCore
import NIOPosix
import Synchronization

@testable import HoldfastWebSocket

/// A peer that a test drives byte by byte, over a socket with small buffers, behind a real upgrade with a connection of
/// ours.
final class RawPeer: Sendable {
    /// The connection under test.
    let connection: WebSocketConnection
    /// Writes the peer's frames.
    let wire: Wire
    private let channel: any Channel
    private let handler: NIOLoopBound<Handler>
    private let stop: @Sendable () async -> Void

    /// How much the kernel takes at each end, so that a test sees what we keep and not what the kernel does. It takes twice
    /// of what it is told.
    private static let socketBuffer = 16 * 1024

    /// Opens a connection whose own end has `role`.
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
        // From here on our end's kernel takes little, too.
        _ = try? await onOurLoop { handler in
            handler.channel?.setOption(.socketOption(.so_sndbuf), value: Self.socketBuffer)
        }?.get()
    }

    func finish() async {
        try? await channel.close().get()
        await stop()
    }

    // MARK: What the peer does

    /// Begins to write; it is written when the future says so, which may be never.
    @discardableResult
    func write(_ bytes: [UInt8]) -> EventLoopFuture<Void> {
        channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Reads nothing more.
    func stopReading() async throws {
        try await channel.setOption(.autoRead, value: false).get()
    }

    func readOn() async throws {
        try await channel.setOption(.autoRead, value: true).get()
    }

    /// Sends no more, and says so.
    func closeOutput() async throws {
        try await channel.close(mode: .output).get()
    }

    /// Waits until what was received, or its end, is as wanted, and returns all of it.
    func received(until condition: @escaping @Sendable ([UInt8], _ hasEnded: Bool) -> Bool) async throws -> [UInt8] {
        let handler = handler
        return try await handler.eventLoop.flatSubmit { handler.value.wait(condition) }.get()
    }

    // MARK: What our end holds

    /// Runs on the loop of the connection under test; `nil` where its handler is gone.
    func onOurLoop<Value: Sendable>(
        _ body: @escaping @Sendable (WebSocketChannelHandler) throws -> Value?
    ) async throws -> Value? {
        let link = connection.link
        return try await link.eventLoop.submit { try link.handler.value.flatMap(body) }.get()
    }

    /// Bytes of messages that wait for their reader.
    var waitingMessages: Int { connection.link.state.withLock { $0.mailbox.waitingBytes } }

    /// Bytes that have arrived and are no message yet.
    func heldBytes() async throws -> Int { try await onOurLoop { $0.heldBytes } ?? 0 }

    /// Bytes of messages that were taken for sending and that the socket has not accepted.
    var outstandingMessages: Int { connection.link.state.withLock { $0.outbox.outstandingBytes } }

    /// Whether senders wait for room.
    var hasWaitingSenders: Bool { connection.link.state.withLock { $0.outbox.hasWaiters } }

    /// Bytes that the channel has taken and the kernel has not.
    func bufferedWrites() async throws -> Int {
        try await onOurLoop { try $0.channel?.syncOptions?.getOption(.bufferedWritableBytes) } ?? 0
    }

    /// Waits for something that comes about on our end's loop.
    func settles(_ condition: @Sendable () async throws -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if try await condition() { return true }
            // One turn of the loop.
            try await connection.link.eventLoop.submit {}.get()
        }
        return false
    }

    /// Waits for the head of the upgrade, answers it where there is an answer, and keeps what comes behind it.
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
            // A reset is an end, too.
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
