import NIOCore

/// Cuts a connection whose peer sends more than a limit before the server writes anything.
///
/// Routes refuse a body that is too long, but the HTTP server goes on reading what is left of it, so that the client comes
/// to reading the answer. This is what ends that reading, and any other request that does not end.
final class ReceiveBudgetHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let limit: @Sendable () -> Int
    private var received = 0

    /// Allows `limit` bytes between two writes. The limit may change, and is asked for on the event loop.
    init(limit: @escaping @Sendable () -> Int) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytes
        guard received <= limit() else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        received = 0
        context.write(data, promise: promise)
    }
}
