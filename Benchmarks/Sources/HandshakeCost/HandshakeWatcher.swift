import NIOCore
import NIOTLS

/// Reports the end of a handshake that NIOSSL verifies.
final class HandshakeWatcher: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let finished: EventLoopPromise<Void>

    init(_ finished: EventLoopPromise<Void>) {
        self.finished = finished
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { finished.succeed(()) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finished.fail(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finished.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}
