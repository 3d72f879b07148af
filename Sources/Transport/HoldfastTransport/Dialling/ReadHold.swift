import NIOCore

/// Holds back what a fresh connection reads until the handlers of its protocol are in place.
///
/// It also holds back the *request* to read, so that a peer can fill one read buffer and no more.
final class ReadHold: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
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

    /// Begins to hold. Until then everything passes: a handshake has to read.
    func close() {
        isOpen = false
    }

    /// Lets everything pass that was held back, and leaves the pipeline.
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
