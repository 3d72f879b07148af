import NIOCore
import NIOPosix
import NIOSSL

/// The reference client for all servers. It sends the same bytes repeatedly and counts the returned frames.
final class ReferenceClientHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let upgraded: EventLoopPromise<Void>
    private var isUpgraded = false
    private var context: ChannelHandlerContext?
    private var pending = ByteBuffer()
    /// The number of missing bytes of the current frame.
    private var missing = 0
    /// The first byte of the current frame, and its payload if requested.
    private var firstByte: UInt8 = 0
    private var capture: (payload: ByteBuffer, promise: EventLoopPromise<(UInt8, ByteBuffer)>)?

    private var frame = ByteBuffer()
    private var underWay = 0
    private var end = NIODeadline.now()
    private var sentAt = NIODeadline.now()
    private var keepsTimes = false
    private var tally = Tally()
    private var finished: EventLoopPromise<Tally>?

    init(upgraded: EventLoopPromise<Void>) {
        self.upgraded = upgraded
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
    }

    /// The upgrade request. Set it before the channel is active.
    var request = ByteBuffer()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        if pending.readableBytes > 0 {
            pending.writeBuffer(&buffer)
            buffer = pending
            pending = ByteBuffer()
        }
        if !isUpgraded, !takeAnswer(&buffer) {
            pending = buffer
            return
        }
        scan(&buffer)
        if buffer.readableBytes > 0 { pending = buffer }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    func channelInactive(context: ChannelHandlerContext) {
        let error = WrongEcho(what: "The server closed the connection.")
        if !isUpgraded { upgraded.fail(error) }
        finished?.fail(error)
        capture?.promise.fail(error)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Sends frames until `end`, then waits until all have come back.
    func run(_ frame: ByteBuffer, window: Int, until end: NIODeadline, finished: EventLoopPromise<Tally>) {
        guard let context else { return finished.fail(WrongEcho(what: "The server closed the connection.")) }
        self.frame = frame
        self.end = end
        self.finished = finished
        tally = Tally()
        keepsTimes = window == 1
        underWay = window
        sentAt = .now()
        for _ in 0..<window { context.write(wrapOutboundOut(frame), promise: nil) }
        context.flush()
    }

    /// Sends one frame. Fulfils the promise with the response's first byte and payload.
    func exchange(_ frame: ByteBuffer, answer: EventLoopPromise<(UInt8, ByteBuffer)>) {
        guard let context else { return answer.fail(WrongEcho(what: "The server closed the connection.")) }
        capture = (ByteBuffer(), answer)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    private func takeAnswer(_ buffer: inout ByteBuffer) -> Bool {
        guard let end = buffer.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
        let head = buffer.readString(length: end.upperBound - buffer.readerIndex) ?? ""
        isUpgraded = true
        if head.hasPrefix("HTTP/1.1 101") {
            upgraded.succeed()
        } else {
            upgraded.fail(WrongEcho(what: "The server responded: \(head.prefix(60))"))
        }
        return true
    }

    private func scan(_ buffer: inout ByteBuffer) {
        while true {
            if missing == 0 {
                guard let head = FrameScanner.head(buffer) else { return }
                buffer.moveReaderIndex(forwardBy: head.size)
                missing = head.length
                firstByte = head.firstByte
            }
            let count = min(missing, buffer.readableBytes)
            if capture != nil, let piece = buffer.getSlice(at: buffer.readerIndex, length: count) {
                capture?.payload.writeImmutableBuffer(piece)
            }
            buffer.moveReaderIndex(forwardBy: count)
            missing -= count
            guard missing == 0 else { return }
            complete()
        }
    }

    private func complete() {
        // Keep-alive pings are ignored. No measurement is long enough to require a pong.
        guard firstByte & 0x08 == 0 else { return }
        if let capture {
            self.capture = nil
            return capture.promise.succeed((firstByte, capture.payload))
        }
        guard let context, let finished else { return }
        let now = NIODeadline.now()
        tally.messages += 1
        if keepsTimes { tally.roundTrips.append((now - sentAt).nanoseconds) }
        if now < end {
            sentAt = now
            context.write(wrapOutboundOut(frame), promise: nil)
        } else {
            underWay -= 1
            guard underWay == 0 else { return }
            self.finished = nil
            finished.succeed(tally)
        }
    }
}
