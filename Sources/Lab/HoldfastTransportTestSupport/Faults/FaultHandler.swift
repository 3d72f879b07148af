import HoldfastSystem
import NIOCore
import NIOPosix

/// Forwards the data that one side of a proxied connection sends to the other side, through a ``FaultStream``. Both
/// channels must be on the same event loop.
final class FaultHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var stream: FaultStream
    private let peer: any Channel

    init(_ stream: FaultStream, peer: any Channel) {
        self.stream = stream
        self.peer = peer
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // A fault at offset zero applies before the first byte.
        perform(stream.take([]), context: context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        perform(stream.take(Array(unwrapInboundIn(data).readableBytesView)), context: context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            // If a fault ended the stream, no end follows from it. The other side is closed, so that it does not stay
            // open.
            if stream.isOver { peer.close(promise: nil) }
            perform(stream.end(), context: context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        peer.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func perform(_ steps: [FaultStream.Step], context: ChannelHandlerContext) {
        for step in steps {
            switch step {
            case .forward(let bytes):
                guard !bytes.isEmpty else { continue }
                peer.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            case .close:
                peer.close(promise: nil)
                context.close(promise: nil)
            case .reset:
                peer.resetsOnClose()
                peer.close(promise: nil)
            case .halfClose:
                peer.close(mode: .output, promise: nil)
            case .hold(let trigger):
                let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
                let loop = context.eventLoop
                trigger.whenFired {
                    loop.execute {
                        let (handler, context) = bound.value
                        handler.perform(handler.stream.released(), context: context)
                    }
                }
            }
        }
    }
}

extension Channel {
    /// Makes the kernel send a reset when the connection is closed.
    func resetsOnClose() {
        let noLinger = linger(l_onoff: 1, l_linger: 0)
        _ = (self as? any SocketOptionProvider)?.setSoLinger(noLinger)
    }
}
