package import NIOCore

/// Closes a connection whose peer sends more bytes, or takes more time, than a request and its answer need before the
/// server writes anything.
///
/// Routes refuse a body that is too long, but the HTTP server continues to read the rest, so that the client can read
/// the answer. This handler ends that reading and any other request that does not end. With a time limit, it also ends
/// slow senders, slow readers and idle connections.
package final class ReceiveBudgetHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private let bytes: @Sendable () -> Int
    private let timer: ProgressTimer?
    private var received = 0

    /// Allows a number of bytes and an amount of time between two writes.
    ///
    /// - Parameters:
    ///   - time: The time limit; `nil` for none.
    ///   - bytes: Returns the limit. Called on the event loop for each read, because the limit may change.
    package init(time: TimeAmount? = nil, bytes: @escaping @Sendable () -> Int) {
        self.bytes = bytes
        timer = time.map { ProgressTimer($0) }
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        timer?.restart(context)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        timer?.stop()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytes
        guard received <= bytes() else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        received = 0
        timer?.restart(context)
        context.write(data, promise: promise)
    }
}
