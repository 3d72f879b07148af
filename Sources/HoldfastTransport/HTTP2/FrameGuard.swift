import NIOCore

/// Stands below the library's handler and sees the frames of both directions before and after it: refuses floods, and knows when
/// the library has given up on the connection.
///
/// The library reports the errors of single streams and those of the connection in the same way; only the latter are followed by
/// a GOAWAY frame.
final class FrameGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// `PRI * HTTP/2.0` and what follows it, before the first frame (RFC 9113, 3.4).
    private static let prefaceSize = 24

    private var budget: FrameBudget
    private var inbound = FrameScan()
    private var outbound = FrameScan(skipping: prefaceSize)
    private var hasFailed = false

    /// Whether this side has told the server that the connection ends.
    private(set) var hasSentGoAway = false
    /// The stream of the last head, or part of one, that has come.
    private(set) var lastHeadStream: UInt32 = 0

    init(limits: TransportLimits) {
        self.budget = FrameBudget(limit: limits.controlFrames)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        do throws(TransportError) {
            try inbound.take(unwrapInboundIn(data)) { frame throws(TransportError) in
                if frame.kind == .headers { lastHeadStream = frame.stream }
                try budget.received(frame)
            }
            context.fireChannelRead(data)
        } catch {
            // What came with the frames too many is not looked at.
            hasFailed = true
            context.fireErrorCaught(error)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let buffer) = unwrapOutboundIn(data) {
            // Its own frames are not refused.
            try? outbound.take(buffer) { frame in
                if frame.kind == .goAway { hasSentGoAway = true }
                budget.sent(frame)
            }
        }
        context.write(data, promise: promise)
    }
}
