import NIOCore
import NIOWebSocket

/// A simple echo server with NIOWebSocket: it returns the payload of every frame in a frame.
final class BareEcho: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard let answer = Self.answer(to: frame) else { return }
        context.write(wrapOutboundOut(answer), promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    static func answer(to frame: WebSocketFrame) -> WebSocketFrame? {
        switch frame.opcode {
        case .text, .binary, .continuation:
            WebSocketFrame(fin: frame.fin, opcode: frame.opcode, data: frame.unmaskedData)
        case .ping: WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
        case .connectionClose: WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
        default: nil
        }
    }
}
