import HoldfastTransport
import NIOCore

/// Adds a ``FrameTap`` to each connection that another dialler has opened and judged.
struct TappedDialler: Dialler {
    /// Opens the connections.
    let base: any Dialler
    /// Receives the frames, on the connection's event loop.
    let report: @Sendable (FrameSighting) -> Void

    func dial(
        _ target: DialTarget, deadlines: DialDeadlines, on loop: any EventLoop
    ) -> EventLoopFuture<Dialled> {
        base.dial(target, deadlines: deadlines, on: loop).flatMapThrowing { dialled in
            do {
                try dialled.channel.pipeline.syncOperations.addHandler(FrameTap(report: report))
                return dialled
            } catch {
                dialled.cut()
                throw TransportError(.connectionClosed, in: .upgrading, "The connection closed: \(error).")
            }
        }
    }

    func hasJudged(_ id: TransportConnectionID) -> Bool { base.hasJudged(id) }

    func judgeAgain(_ id: TransportConnectionID, on loop: any EventLoop) -> EventLoopFuture<Void> {
        base.judgeAgain(id, on: loop)
    }
}

/// Observes the frames of a connection, between its WebSocket and TLS layers. Changes nothing.
final class FrameTap: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let report: @Sendable (FrameSighting) -> Void
    private var incoming = FrameScanner(.incoming)
    private var outgoing = FrameScanner(.outgoing)

    /// Creates a tap. `report` is called on the connection's event loop.
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
