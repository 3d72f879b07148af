import NIOCore

/// Observes the frames of both directions below the library's handler. It refuses floods, detects that the library has
/// aborted the connection, and combines small writes.
///
/// The library reports errors of single streams in the same way as those of the connection, but sends a GOAWAY frame
/// only for the latter. It writes a frame's header and payload separately, and each write would become a TLS record.
final class FrameGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = ByteBuffer

    /// The size of the connection preface, `PRI * HTTP/2.0` and so on (RFC 9113, 3.4).
    private static let prefaceSize = 24
    /// The maximum size of a TLS record.
    private static let recordSize = 16 * 1024

    private var budget: FrameBudget
    /// The frames that wait for paused readers, which the streams report.
    var waiting = WaitingFrames()
    private var inbound = FrameScan()
    private var outbound = FrameScan(skipping: prefaceSize)
    private var hasFailed = false
    /// The server's SETTINGS_INITIAL_WINDOW_SIZE (RFC 9113, 6.5.2).
    private var initialWindow: UInt32 = 65_535
    private var pending = ByteBuffer()
    private var promises: [EventLoopPromise<Void>] = []

    /// The number of bodies of unknown length in progress. Such a body ends with an empty DATA frame, which the library
    /// cannot send on a stream whose window the server made negative: the process would crash.
    var openEnds = 0
    /// Whether the client has sent GOAWAY.
    private(set) var hasSentGoAway = false
    /// The last stream that the client reset.
    private(set) var lastReset: UInt32 = 0
    /// The last stream whose head was sent. The library holds heads back while the socket accepts no data, or the
    /// server permits no more streams. The server does not know any later stream.
    private(set) var lastHeadSent: UInt32 = 0
    /// The stream of the last head, or part of one, that was received.
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
            // Data that arrived together with the excess frames is ignored.
            hasFailed = true
            context.fireErrorCaught(error)
        }
    }

    private func received(setting identifier: UInt16, _ value: UInt32) throws(TransportError) {
        guard identifier == 4 else { return }
        guard value >= initialWindow || openEnds == 0 else {
            throw .malformed(
                .frame, "The server reduced the flow-control window during a body of unknown length.")
        }
        initialWindow = value
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .byteBuffer(var buffer) = unwrapOutboundIn(data) else {
            promise?.fail(ChannelError.operationUnsupported)
            return
        }
        var isIdle = false
        // The client's own frames are never refused.
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
        // Resetting a stream that was never opened would be a connection error (RFC 9113, 5.1).
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
