import Crypto
import Foundation
import NIOCore

/// The reference server for all clients. It sends every frame back unmasked, at minimal cost.
///
/// It does not validate frames. It returns compressed messages as they are, because it negotiates compression without
/// context takeover.
final class ReferenceServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var isUpgraded = false
    private var pending = ByteBuffer()
    private var answer = ByteBuffer()
    private var isClosing = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        if pending.readableBytes > 0 { pending.writeBuffer(&buffer) } else { pending = buffer }
        if !isUpgraded { upgrade() }
        guard isUpgraded else { return }
        while let head = FrameScanner.head(pending), pending.readableBytes >= head.size + head.length {
            pending.moveReaderIndex(forwardBy: head.size)
            guard let payload = pending.readSlice(length: head.length) else { break }
            echo(head, payload)
        }
        if pending.readableBytes == 0 { pending = ByteBuffer() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard answer.readableBytes > 0 else { return }
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        answer = ByteBuffer()
        if isClosing { context.close(promise: nil) }
    }

    private func echo(_ head: FrameScanner.Head, _ payload: ByteBuffer) {
        if head.firstByte & 0x0F == 0x8 { isClosing = true }
        // A ping is answered with a pong.
        let firstByte = head.firstByte & 0x0F == 0x9 ? head.firstByte ^ 0x3 : head.firstByte
        FrameScanner.write(firstByte, length: head.length, key: nil, to: &answer)
        let start = answer.readableBytes
        answer.writeImmutableBuffer(payload)
        if let key = head.key { FrameScanner.mask(&answer, from: start, key: key) }
    }

    private func upgrade() {
        guard let end = pending.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
        let request = pending.readString(length: end.upperBound - pending.readerIndex) ?? ""
        let fields = request.split(separator: "\r\n").dropFirst().map { $0.split(separator: ":", maxSplits: 1) }
        func value(_ name: String) -> String? {
            fields.first { $0.count == 2 && $0[0].lowercased() == name }?[1].trimmingCharacters(in: .whitespaces)
        }
        let key = (value("sec-websocket-key") ?? "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        let accept = Data(Insecure.SHA1.hash(data: Data(key.utf8))).base64EncodedString()
        answer.writeString(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(accept)\r\n")
        if value("sec-websocket-extensions") != nil {
            answer.writeString(
                "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; "
                    + "client_no_context_takeover\r\n")
        }
        answer.writeString("\r\n")
        isUpgraded = true
    }
}
