import HoldfastTrust
import NIOCore

/// Cuts a connection whose peer takes more time, or sends more bytes, before the collector writes anything than a request
/// and its answer need: slow senders, slow readers, endless requests and idle connections.
///
/// It stands above TLS, so that a handshake that does not end is cut as well.
final class ExchangeBudgetHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let bytes: Int
    private let time: TimeAmount
    private var received = 0
    private var deadline = NIODeadline.distantFuture
    private var timer: Scheduled<Void>?

    /// Allows so many bytes and so much time between two writes.
    init(bytes: Int, time: TimeAmount) {
        self.bytes = bytes
        self.time = time
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = context.eventLoop.now + time
        arm(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytes
        guard received <= bytes else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        received = 0
        deadline = context.eventLoop.now + time
        context.write(data, promise: promise)
    }

    /// One timer for the connection: when it fires too early, it is set again.
    private func arm(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: deadline) {
            let (handler, context) = bound.value
            if context.eventLoop.now < handler.deadline {
                handler.arm(context)
            } else {
                context.close(promise: nil)
            }
        }
    }
}
