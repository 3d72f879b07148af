import NIOCore

/// Answers GET requests with prepared bytes, so that the server costs little.
///
/// It does not validate requests: it only reads the end of the head and the first byte of the path. The path `/hold/N`
/// is answered after N requests for it have arrived, so that a client must open N connections.
final class HTTP1ServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let pathStart = "GET /".utf8.count
    private var pending = ByteBuffer()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        if pending.readableBytes > 0 {
            pending.writeBuffer(&buffer)
            buffer = pending
            pending.clear()
        }
        while let length = Self.headLength(buffer), let head = buffer.readSlice(length: length) {
            answer(head, context: context)
        }
        if buffer.readableBytes > 0 { pending = buffer }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    private func answer(_ head: ByteBuffer, context: ChannelHandlerContext) {
        switch head.getInteger(at: head.readerIndex + Self.pathStart, as: UInt8.self) {
        case UInt8(ascii: "h"):
            // Every connection is on the same loop, so that no request is answered before all have arrived.
            let line = String(buffer: head).prefix { $0 != "\r\n" }
            let count = Int(line.split(separator: " ")[1].split(separator: "/").last ?? "") ?? 1
            HeldConnections.shared.add(context.channel, of: count)
        case UInt8(ascii: "1"):
            context.write(wrapOutboundOut(ServerBodies.largeResponse), promise: nil)
        default:
            context.write(wrapOutboundOut(ServerBodies.smallResponse), promise: nil)
        }
    }

    /// Returns the length of the first head in a buffer, including the empty line; `nil` if it is incomplete.
    private static func headLength(_ buffer: ByteBuffer) -> Int? {
        buffer.withUnsafeReadableBytes { bytes in
            var index = 3
            while index < bytes.count {
                if bytes[index] == 0x0A, bytes[index - 1] == 0x0D, bytes[index - 2] == 0x0A, bytes[index - 3] == 0x0D {
                    return index + 1
                }
                index += 1
            }
            return nil
        }
    }
}
