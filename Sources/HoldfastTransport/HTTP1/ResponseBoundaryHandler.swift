import NIOCore

/// Feeds NIOHTTP1's decoder one response at a time, cut exactly where ``ResponseBoundary`` finds its end.
final class ResponseBoundaryHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Told by the handler behind the decoder of what the decoder announces.
    var boundary: ResponseBoundary
    private var isBroken = false

    init(limit: Int) {
        self.boundary = ResponseBoundary(limit: limit)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        while buffer.readableBytes > 0, !isBroken {
            do throws(TransportError) {
                let step = try boundary.take(buffer.readableBytesView)
                let count =
                    switch step {
                    case .pass(let count), .passEndOfHead(let count), .passEndOfMessage(let count): count
                    }
                guard let slice = buffer.readSlice(length: count) else { return }
                context.fireChannelRead(wrapInboundOut(slice))
                if boundary.awaitsDecoder, !isBroken {
                    throw .malformed("The response can be read in two ways.")
                }
            } catch {
                isBroken = true
                context.fireErrorCaught(error)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
    }

    /// The handler behind the decoder has given up on the connection: nothing more is passed on.
    func giveUp() {
        isBroken = true
    }
}
