import HoldfastWebSocket
import NIOCore
import NIOPosix

/// A server that waits for the head of a request and then sends bytes chosen by the test, one reply per connection.
final class ScriptedServer: Sendable {
    /// The bytes to send, and whether to close the connection afterwards.
    struct Reply: Sendable {
        var bytes: [UInt8]
        var closes = false

        static func text(_ text: String, closes: Bool = false) -> Reply {
            Reply(bytes: Array(text.utf8), closes: closes)
        }
    }

    let port: Int
    private let listener: any Channel

    /// Starts a server. `reply` receives the head of the request; it returns `nil` to never answer.
    static func start(_ reply: @escaping @Sendable (String) -> Reply?) async throws -> ScriptedServer {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(reply: reply))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return ScriptedServer(listener: listener)
    }

    private init(listener: any Channel) {
        self.listener = listener
        self.port = listener.localAddress?.port ?? 0
    }

    func stop() async {
        try? await listener.close().get()
    }

    /// Returns a valid `101` response for the request with this head.
    static func grant(_ head: String, extra: String = "") -> [UInt8] {
        let key = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") }
            .map { $0.dropFirst("sec-websocket-key: ".count) }
        let accept = key.flatMap { WebSocketKey(String($0)) }?.accept ?? "none"
        let fixed = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        return Array((fixed + "Sec-WebSocket-Accept: \(accept)\r\n\(extra)\r\n").utf8)
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let reply: @Sendable (String) -> Reply?
        private var head = ""
        private var isDone = false

        init(reply: @escaping @Sendable (String) -> Reply?) {
            self.reply = reply
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            head += String(buffer: unwrapInboundIn(data))
            guard !isDone, head.contains("\r\n\r\n") else { return }
            isDone = true
            guard let reply = reply(head) else { return }
            let promise = context.eventLoop.makePromise(of: Void.self)
            if reply.closes {
                promise.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
            }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: reply.bytes)), promise: promise)
        }
    }
}
