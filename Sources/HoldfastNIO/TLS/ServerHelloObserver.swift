import NIOCore

/// Looks at the first bytes that come from the server, and passes everything on.
final class ServerHelloObserver: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var reader = ServerHelloReader()

    /// What the first bytes were; `nil` while none have come.
    var finding: ServerHelloReader.Finding? { reader.findingAtEnd }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if reader.finding == nil {
            reader.feed(unwrapInboundIn(data).readableBytesView)
        }
        context.fireChannelRead(data)
    }
}
