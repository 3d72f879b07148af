import Crypto
import HTTPTypes
import HoldfastBase
import NIOCore
import NIOHTTPTypes

/// Answers `GET /N` with N bytes.
final class PageHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private static let content = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 20)
    private var count = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            count = Int((request.path ?? "").dropFirst()) ?? 0
        case .body:
            break
        case .end:
            let bytes = Self.content.getSlice(at: 0, length: min(count, 1 << 20)) ?? ByteBuffer()
            context.respond(
                .ok, bytes,
                [
                    .contentType: "application/octet-stream", .server: "bench",
                    .date: "Sat, 28 Nov 2026 08:00:00 GMT",
                ])
        }
    }
}

/// Answers an upload with the SHA-256 hash of its content in hexadecimal digits.
final class UploadHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private var hash = SHA256()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            hash = SHA256()
        case .body(let part):
            part.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        case .end:
            let text = Array(hash.finalize()).hexadecimal
            context.respond(.created, ByteBuffer(string: text), [.contentType: "text/plain"])
        }
    }
}

extension ChannelHandlerContext {
    /// Sends a response with its length.
    fileprivate func respond(_ status: HTTPResponse.Status, _ body: ByteBuffer, _ fields: HTTPFields) {
        var response = HTTPResponse(status: status, headerFields: fields)
        response.headerFields[.contentLength] = String(body.readableBytes)
        write(NIOAny(HTTPResponsePart.head(response)), promise: nil)
        write(NIOAny(HTTPResponsePart.body(body)), promise: nil)
        writeAndFlush(NIOAny(HTTPResponsePart.end(nil)), promise: nil)
    }
}
