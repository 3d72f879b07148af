import NIOCore
import NIOPosix
import NIOSSL

/// The client that all servers are measured with: sends the same bytes over and over, and counts the frames that come back.
final class PeerLoad: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let upgraded: EventLoopPromise<Void>
    private var isUpgraded = false
    private var context: ChannelHandlerContext?
    private var pending = ByteBuffer()
    /// What is missing of the frame in progress.
    private var missing = 0
    /// The first byte of the frame in progress, and its payload where that is wanted.
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

    /// What asks for the upgrade; set before the channel is active.
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
        let error = WrongEcho(what: "The server has closed the connection.")
        if !isUpgraded { upgraded.fail(error) }
        finished?.fail(error)
        capture?.promise.fail(error)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Goes on until `end`, and then until everything is back.
    func run(_ frame: ByteBuffer, window: Int, until end: NIODeadline, finished: EventLoopPromise<Tally>) {
        guard let context else { return finished.fail(WrongEcho(what: "The server has closed the connection.")) }
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

    /// Sends one frame, and gives the answer's first byte and payload.
    func exchange(_ frame: ByteBuffer, answer: EventLoopPromise<(UInt8, ByteBuffer)>) {
        guard let context else { return answer.fail(WrongEcho(what: "The server has closed the connection.")) }
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
            upgraded.fail(WrongEcho(what: "The server answers: \(head.prefix(60))"))
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
        // Pings of a keep-alive are not waited for here; nobody measures for that long.
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
