import NIOCore

/// A channel handler that holds back reads of a new connection until the protocol's handlers are added.
///
/// It also holds back read requests, so that a peer can fill at most one read buffer.
final class ReadHold: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private var context: ChannelHandlerContext?
    private var isOpen = true
    private var held: [NIOAny] = []
    private var wantsRead = false

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    /// Starts holding back reads. Until then they pass, because the handshake needs them.
    func close() {
        isOpen = false
    }

    /// Passes on all held reads and removes the handler from the pipeline.
    func release() {
        guard let context else { return }
        isOpen = true
        let held = self.held
        self.held = []
        for data in held {
            context.fireChannelRead(data)
        }
        if !held.isEmpty {
            context.fireChannelReadComplete()
        }
        if wantsRead {
            context.read()
        }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isOpen {
            context.fireChannelRead(data)
        } else {
            held.append(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isOpen {
            context.fireChannelReadComplete()
        }
    }

    func read(context: ChannelHandlerContext) {
        if isOpen {
            context.read()
        } else {
            wantsRead = true
        }
    }
}
