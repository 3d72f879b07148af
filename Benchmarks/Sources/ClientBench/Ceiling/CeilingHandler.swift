import NIOCore
import NIOHTTP1

/// Sends a request, collects the body and resumes the caller.
final class CeilingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private var context: ChannelHandlerContext?
    private var continuation: UnsafeContinuation<ByteBuffer, any Error>?
    private var finished: (() -> Void)?
    private var body = ByteBuffer()

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func send(
        _ head: HTTPRequestHead, _ continuation: UnsafeContinuation<ByteBuffer, any Error>,
        finished: @escaping () -> Void
    ) {
        guard let context, context.channel.isActive else { return continuation.resume(throwing: ChannelError.eof) }
        self.continuation = continuation
        self.finished = finished
        body = ByteBuffer()
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: break
        case .body(var part):
            if body.readableBytes == 0 { body = part } else { body.writeBuffer(&part) }
        case .end:
            let continuation = self.continuation
            self.continuation = nil
            finished?()
            continuation?.resume(returning: body)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(ChannelError.eof)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(error)
        context.close(promise: nil)
    }

    private func end(_ error: any Error) {
        continuation?.resume(throwing: error)
        continuation = nil
    }
}
