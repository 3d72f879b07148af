import HoldfastTransport
import NIOCore

/// Puts a ``FrameTap`` over each connection that another dialler has opened and judged.
struct TappedDialler: Dialler {
    /// Opens the connections.
    let base: any Dialler
    /// Gets the frames, on the connection's event loop.
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

    func hasJudged(_ id: ConnectionID) -> Bool { base.hasJudged(id) }

    func judgeAgain(_ id: ConnectionID, on loop: any EventLoop) -> EventLoopFuture<Void> {
        base.judgeAgain(id, on: loop)
    }
}
