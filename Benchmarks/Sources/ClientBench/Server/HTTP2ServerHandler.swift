import NIOCore
import NIOHPACK
import NIOHTTP2

/// Answers a GET request on one HTTP/2 stream.
final class HTTP2ServerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .headers(let request) = unwrapInboundIn(data) else { return }
        let body = ServerBodies.body(of: request.headers.first(name: ":path") ?? "")
        let headers: HPACKHeaders = [
            ":status": "200", "server": "bench", "date": "Sat, 21 Nov 2026 08:00:00 GMT",
            "content-type": "application/octet-stream", "content-length": String(body.readableBytes),
        ]
        context.write(wrapOutboundOut(.headers(.init(headers: headers))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.data(.init(data: .byteBuffer(body), endStream: true))), promise: nil)
    }
}
