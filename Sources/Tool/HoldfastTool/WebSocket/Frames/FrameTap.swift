import NIOCore

/// Looks at the frames that go by on a connection, below its WebSocket and above TLS, and changes nothing.
final class FrameTap: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let report: @Sendable (FrameSighting) -> Void
    private var incoming = FrameScanner(.incoming)
    private var outgoing = FrameScanner(.outgoing)

    /// `report` is called on the connection's event loop.
    init(report: @escaping @Sendable (FrameSighting) -> Void) {
        self.report = report
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unwrapInboundIn(data).withUnsafeReadableBytes { incoming.scan($0) }.forEach(report)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        unwrapOutboundIn(data).withUnsafeReadableBytes { outgoing.scan($0) }.forEach(report)
        context.write(data, promise: promise)
    }
}
