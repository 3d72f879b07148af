import NIOCore

/// Observes the frames of both directions below the library's handler. It refuses floods, detects that the library has
/// aborted the connection, and combines small writes.
///
/// The heads and bodies that streams write in one turn of the event loop are flushed together at its end, so that they
/// share TLS records and one write to the socket. All other frames are flushed immediately.
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
    /// The maximum number of flushes that wait for the end of a turn. With more, the server would wait for the client.
    private static let heldFlushes = 8

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
    private var context: ChannelHandlerContext?
    /// The number of flushes that wait for the end of this turn of the event loop.
    private var held = 0
    /// Whether the end of this turn flushes them.
    private var isScheduled = false
    /// Whether a frame other than a head or a part of a body was written since the last flush.
    private var isUrgent = false
    /// The number of bytes that were written since the last flush.
    private var unflushed = 0

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

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
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
            case .headers: lastHeadSent = max(lastHeadSent, frame.stream)
            case .data, .continuation: break
            case .goAway:
                hasSentGoAway = true
                isUrgent = true
            case .resetStream:
                lastReset = frame.stream
                isIdle = frame.stream > lastHeadSent && buffer.readableBytes == HTTP2FrameHeader.size + frame.length
                isUrgent = true
            default: isUrgent = true
            }
            budget.sent(frame)
        }
        // Resetting a stream that was never opened would be a connection error (RFC 9113, 5.1).
        if isIdle {
            promise?.succeed()
            return
        }
        unflushed += buffer.readableBytes
        if pending.readableBytes + buffer.readableBytes > Self.recordSize { emit(context) }
        guard buffer.readableBytes < Self.recordSize else {
            context.write(wrapOutboundOut(buffer), promise: promise)
            return
        }
        pending.writeBuffer(&buffer)
        if let promise { promises.append(promise) }
    }

    func flush(context: ChannelHandlerContext) {
        // A full record gains nothing from waiting.
        guard !isUrgent, unflushed < Self.recordSize, held < Self.heldFlushes - 1 else { return flushNow(context) }
        held += 1
        guard !isScheduled else { return }
        isScheduled = true
        context.eventLoop.assumeIsolated().execute { [self] in
            isScheduled = false
            if held > 0, let context = self.context { flushNow(context) }
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if held > 0 { flushNow(context) }
        emit(context)
        context.close(mode: mode, promise: promise)
    }

    private func flushNow(_ context: ChannelHandlerContext) {
        held = 0
        isUrgent = false
        unflushed = 0
        emit(context)
        context.flush()
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
