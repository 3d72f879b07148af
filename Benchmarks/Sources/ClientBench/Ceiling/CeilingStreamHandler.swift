import NIOCore
import NIOHPACK
import NIOHTTP2

/// Sends a request on a stream, collects the body and resumes the caller.
final class CeilingStreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let headers: HPACKHeaders
    private var continuation: UnsafeContinuation<ByteBuffer, any Error>?
    private var body = ByteBuffer()

    init(_ headers: HPACKHeaders, _ continuation: UnsafeContinuation<ByteBuffer, any Error>) {
        self.headers = headers
        self.continuation = continuation
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: headers, endStream: true))), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .data(let frame):
            if case .byteBuffer(var part) = frame.data {
                if body.readableBytes == 0 { body = part } else { body.writeBuffer(&part) }
            }
            if frame.endStream { end(.success(body)) }
        case .headers(let frame) where frame.endStream:
            end(.success(body))
        default:
            break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.failure(ChannelError.eof))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.failure(error))
    }

    private func end(_ result: Result<ByteBuffer, any Error>) {
        continuation?.resume(with: result)
        continuation = nil
    }
}
