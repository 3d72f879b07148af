import NIOCore
import NIOHTTP1

/// A connection of ``CeilingClient``.
struct CeilingConnection: Sendable {
    let channel: any Channel
    let handler: NIOLoopBound<CeilingHandler>

    func send(
        _ head: HTTPRequestHead, _ continuation: UnsafeContinuation<ByteBuffer, any Error>,
        finished: @escaping @Sendable (CeilingConnection) -> Void
    ) {
        channel.eventLoop.execute {
            handler.value.send(head, continuation) { finished(self) }
        }
    }
}
