import NIOCore
import NIOHPACK
import NIOHTTP2

/// A connection of ``CeilingHTTP2Client``.
struct CeilingHTTP2Connection: Sendable {
    let channel: any Channel
    let multiplexer: NIOLoopBound<NIOHTTP2Handler.StreamMultiplexer>

    func send(_ headers: HPACKHeaders, _ continuation: UnsafeContinuation<ByteBuffer, any Error>) {
        channel.eventLoop.execute {
            multiplexer.value.createStreamChannel(promise: nil) { stream in
                stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandler(CeilingStreamHandler(headers, continuation))
                }
            }
        }
    }
}
