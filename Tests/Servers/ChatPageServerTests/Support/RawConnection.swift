import NIOCore
import NIOPosix

/// A connection of a client that sends any bytes, and that can stop reading.
final class RawConnection: Sendable {
    private let channel: any Channel
    private let first: EventLoopFuture<String>
    private let end: EventLoopFuture<Int>

    private init(_ channel: any Channel, _ first: EventLoopFuture<String>, _ end: EventLoopFuture<Int>) {
        self.channel = channel
        self.first = first
        self.end = end
    }

    /// Connects with a small receive buffer.
    ///
    /// - Parameter text: The last part of what ``beginning()`` returns.
    static func connect(to port: Int, until text: String = "\r\n") async throws -> RawConnection {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let (first, end) = (loop.makePromise(of: String.self), loop.makePromise(of: Int.self))
        let channel = try await ClientBootstrap(group: loop)
            .channelOption(.socketOption(.so_rcvbuf), value: 4_096)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Receiver(text, first, end))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return RawConnection(channel, first.futureResult, end.futureResult)
    }

    func send(_ text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text)).get()
    }

    /// Returns what the server sends first, at least through the text of ``connect(to:until:)``.
    func beginning() async throws -> String { try await first.get() }

    /// Stops reading.
    func pause() async throws { try await channel.setOption(.autoRead, value: false).get() }

    /// Reads until the server closes the connection. Returns the number of received bytes.
    func readToEnd() async throws -> Int {
        // The connection may be closed already.
        try? await channel.setOption(.autoRead, value: true).get()
        return try await end.get()
    }

    func close() async {
        // The server may have closed the connection already.
        try? await channel.close().get()
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let text: String
        private let first: EventLoopPromise<String>
        private let end: EventLoopPromise<Int>
        private var beginning: [UInt8] = []
        private var count = 0
        private var isComplete = false

        init(_ text: String, _ first: EventLoopPromise<String>, _ end: EventLoopPromise<Int>) {
            self.text = text
            self.first = first
            self.end = end
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            count += bytes.readableBytes
            guard !isComplete else { return }
            beginning += bytes.readableBytesView
            let received = String(decoding: beginning, as: UTF8.self)
            guard received.contains(text) else { return }
            isComplete = true
            first.succeed(received)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // A reset ends the connection, too.
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            first.fail(ChannelError.eof)
            end.succeed(count)
        }
    }
}
