import NIOCore
import NIOPosix

/// A client that sends any bytes.
final class RawPeer: Sendable {
    private let channel: any Channel
    private let received: EventLoopFuture<[UInt8]>
    private let first: EventLoopFuture<Void>

    private init(_ channel: any Channel, _ received: EventLoopFuture<[UInt8]>, _ first: EventLoopFuture<Void>) {
        self.channel = channel
        self.received = received
        self.first = first
    }

    static func connect(to port: Int) async throws -> RawPeer {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let received = loop.makePromise(of: [UInt8].self)
        let first = loop.makePromise(of: Void.self)
        let channel = try await ClientBootstrap(group: loop)
            .channelOption(.allowRemoteHalfClosure, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Receiver(received, first))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return RawPeer(channel, received.futureResult, first.futureResult)
    }

    func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Ends sending. The peer may have closed already.
    func endSending() async {
        try? await channel.close(mode: .output).get()
    }

    /// Closes the connection. The peer may have closed already.
    func close() async {
        try? await channel.close().get()
    }

    /// Waits for the first received bytes.
    func something() async throws {
        try await first.get()
    }

    /// Returns all bytes until the peer closes.
    func everything() async throws -> String {
        String(decoding: try await received.get(), as: UTF8.self)
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let promise: EventLoopPromise<[UInt8]>
        private let first: EventLoopPromise<Void>
        private var bytes: [UInt8] = []

        init(_ promise: EventLoopPromise<[UInt8]>, _ first: EventLoopPromise<Void>) {
            self.promise = promise
            self.first = first
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            bytes += unwrapInboundIn(data).readableBytesView
            first.succeed()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // A reset ends the connection, too.
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            first.fail(ChannelError.eof)
            promise.succeed(bytes)
        }
    }
}
