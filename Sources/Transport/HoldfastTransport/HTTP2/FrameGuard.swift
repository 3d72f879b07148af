import NIOCore

/// Stands below the library's handler and sees the frames of both directions before and after it: refuses floods, knows when the
/// library has given up on the connection, and puts small writes together.
///
/// The library reports the errors of single streams and those of the connection in the same way; only the latter are followed by
/// a GOAWAY frame. It writes the header of a frame and its payload apart, each of which would become a TLS record.
final class FrameGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = ByteBuffer

    /// `PRI * HTTP/2.0` and what follows it, before the first frame (RFC 9113, 3.4).
    private static let prefaceSize = 24
    /// What a TLS record holds.
    private static let recordSize = 16 * 1024

    private var budget: FrameBudget
    /// What waits for readers that pause; they are told of by the streams.
    var waiting = WaitingFrames()
    private var inbound = FrameScan()
    private var outbound = FrameScan(skipping: prefaceSize)
    private var hasFailed = false
    /// SETTINGS_INITIAL_WINDOW_SIZE, the server's (RFC 9113, 6.5.2).
    private var initialWindow: UInt32 = 65_535
    private var pending = ByteBuffer()
    private var promises: [EventLoopPromise<Void>] = []

    /// How many bodies without a length are under way. They end with an empty DATA frame, which the library cannot send on a stream
    /// whose window a server has made negative: the process would end.
    var openEnds = 0
    /// Whether this side has told the server that the connection ends.
    private(set) var hasSentGoAway = false
    /// The stream that this side has reset last.
    private(set) var lastReset: UInt32 = 0
    /// The last stream whose head has gone out. The library holds heads back while the socket takes nothing, or the server takes no more
    /// streams: the server knows nothing of a stream beyond this one.
    private(set) var lastHeadSent: UInt32 = 0
    /// The stream of the last head, or part of one, that has come.
    private(set) var lastHeadStream: UInt32 = 0

    init(limits: TransportLimits) {
        self.budget = FrameBudget(limit: limits.controlFrames)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
        promises = []
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        do throws(TransportError) {
            try inbound.take(unwrapInboundIn(data)) { frame throws(TransportError) in
                if frame.kind == .headers { lastHeadStream = frame.stream }
                try budget.received(frame)
                try waiting.received(frame)
            } set: { identifier, value throws(TransportError) in
                try received(setting: identifier, value)
            }
            context.fireChannelRead(data)
        } catch {
            // What came with the frames too many is not looked at.
            hasFailed = true
            context.fireErrorCaught(error)
        }
    }

    private func received(setting identifier: UInt16, _ value: UInt32) throws(TransportError) {
        guard identifier == 4 else { return }
        guard value >= initialWindow || openEnds == 0 else {
            throw .malformed(
                .frame, "The server takes room back that it has given, while a body without a length is sent.")
        }
        initialWindow = value
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .byteBuffer(var buffer) = unwrapOutboundIn(data) else {
            promise?.fail(ChannelError.operationUnsupported)
            return
        }
        var isIdle = false
        // Its own frames are not refused.
        try? outbound.take(buffer) { frame in
            switch frame.kind {
            case .goAway: hasSentGoAway = true
            case .headers: lastHeadSent = max(lastHeadSent, frame.stream)
            case .resetStream:
                lastReset = frame.stream
                isIdle = frame.stream > lastHeadSent && buffer.readableBytes == HTTP2FrameHeader.size + frame.length
            default: break
            }
            budget.sent(frame)
        }
        // The reset of a stream that was never opened would be an error of the connection (RFC 9113, 5.1).
        if isIdle {
            promise?.succeed()
            return
        }
        if pending.readableBytes + buffer.readableBytes > Self.recordSize { emit(context) }
        guard buffer.readableBytes < Self.recordSize else {
            context.write(wrapOutboundOut(buffer), promise: promise)
            return
        }
        pending.writeBuffer(&buffer)
        if let promise { promises.append(promise) }
    }

    func flush(context: ChannelHandlerContext) {
        emit(context)
        context.flush()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        emit(context)
        context.close(mode: mode, promise: promise)
    }

    private func emit(_ context: ChannelHandlerContext) {
        guard pending.readableBytes > 0 else { return }
        let buffer = pending
        pending = context.channel.allocator.buffer(capacity: 0)
        let promises = self.promises
        self.promises = []
        guard let first = promises.first else { return context.write(wrapOutboundOut(buffer), promise: nil) }
        for other in promises.dropFirst() { first.futureResult.cascade(to: other) }
        context.write(wrapOutboundOut(buffer), promise: first)
    }
}
