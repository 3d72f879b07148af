import HoldfastNIO
import NIOCore

/// Carries out a ``ProxyDialogue`` on a fresh channel. Afterwards it stays where it is and lets everything through.
final class ProxyHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var dialogue: any ProxyDialogue
    private let deadline: Duration
    private let outcome: EventLoopPromise<Void>
    private var timer: Scheduled<Void>?
    private var isConnected = false
    private var isOver = false

    /// `outcome` is completed once: with success when the server is reached and nothing has followed the proxy's answer,
    /// or with a ``ProxyFailure``.
    init(_ dialogue: any ProxyDialogue, deadline: Duration, outcome: EventLoopPromise<Void>) {
        self.dialogue = dialogue
        self.deadline = deadline
        self.outcome = outcome
    }

    /// The channel is active already: the proxy was connected to, and judged where TLS is used.
    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(clamping: deadline)) { [self] in
            finish(ProxyFailure(.timedOut, "The proxy did not answer in time."))
        }
        send(dialogue.opening, context: context)
        if !context.channel.isActive {
            finish(Self.closed)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(Self.closed)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else {
            // The dial has failed, or TLS has taken over above.
            context.fireChannelRead(data)
            return
        }
        switch dialogue.receive(unwrapInboundIn(data).readableBytesView) {
        case .proceed(let bytes): send(bytes, context: context)
        // Decided when all that came with the answer was seen.
        case .connected: isConnected = true
        case .fail(let failure): finish(failure)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isConnected, !isOver { finish(nil) }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(Self.closed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isOver else {
            context.fireErrorCaught(error)
            return
        }
        finish(ProxyFailure(.closed, "The connection to the proxy broke: \(error)."))
    }

    private func send(_ bytes: [UInt8], context: ChannelHandlerContext) {
        guard !bytes.isEmpty else { return }
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
    }

    /// Completes the outcome; `nil`: the server is reached.
    private func finish(_ failure: ProxyFailure?) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        timer = nil
        if let failure { outcome.fail(failure) } else { outcome.succeed() }
    }

    private static let closed = ProxyFailure(.closed, "The proxy closed the connection before it had answered.")
}
