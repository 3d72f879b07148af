import NIOCore
import NIOWebSocket

/// A simple client with NIOWebSocket: it sends a frame for every received frame.
final class BareClientHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private var context: ChannelHandlerContext?
    private var payload = ByteBuffer()
    private var underWay = 0
    private var end = NIODeadline.now()
    private var sentAt = NIODeadline.now()
    private var keepsTimes = false
    private var tally = Tally()
    private var finished: EventLoopPromise<Tally>?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    /// Sends frames until `end`, then waits until all have come back.
    func run(_ payload: ByteBuffer, window: Int, until end: NIODeadline, finished: EventLoopPromise<Tally>) {
        guard let context else { return finished.fail(WrongEcho(what: "The server closed the connection.")) }
        self.payload = payload
        self.end = end
        self.finished = finished
        tally = Tally()
        keepsTimes = window == 1
        underWay = window
        sentAt = .now()
        for _ in 0..<window { context.write(wrapOutboundOut(Self.frame(payload)), promise: nil) }
        context.flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard frame.opcode == .text, let finished else { return }
        guard frame.data.readableBytes == payload.readableBytes else {
            return finished.fail(WrongEcho(what: "The echo differs from the message."))
        }
        let now = NIODeadline.now()
        tally.messages += 1
        if keepsTimes { tally.roundTrips.append((now - sentAt).nanoseconds) }
        if now < end {
            sentAt = now
            context.write(wrapOutboundOut(Self.frame(payload)), promise: nil)
        } else {
            underWay -= 1
            guard underWay == 0 else { return }
            self.finished = nil
            finished.succeed(tally)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    func channelInactive(context: ChannelHandlerContext) {
        finished?.fail(WrongEcho(what: "The server closed the connection."))
    }

    static func frame(_ payload: ByteBuffer) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: payload)
    }
}
