import NIOCore

/// Stands below the TLS handler of a server and closes the socket right behind its first flight.
final class FirstFlightCloser: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func flush(context: ChannelHandlerContext) {
        context.flush()
        context.close(promise: nil)
    }
}
