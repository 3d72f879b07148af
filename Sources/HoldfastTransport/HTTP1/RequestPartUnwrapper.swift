import NIOCore
import NIOHTTP1

/// Lets through the bytes of requests that were made elsewhere.
///
/// NIOHTTP1's response decoder has to see a request's method pass by, and sees parts only. The heads that are made for
/// it end here; what goes out are the bytes, which come as body parts.
final class RequestPartUnwrapper: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = ByteBuffer

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .body(.byteBuffer(let buffer)):
            context.write(wrapOutboundOut(buffer), promise: promise)
        case .body(.fileRegion), .head, .end:
            promise?.succeed()
        }
    }
}
