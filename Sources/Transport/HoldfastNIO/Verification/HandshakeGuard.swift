import HoldfastTrust
import NIOCore
import NIOSSL
import NIOTLS

/// Reports the outcome of the handshake to the rest of the pipeline: either that the server was accepted, or one typed
/// error. It sits behind the TLS handler and enforces the TLS deadline.
///
/// During an evaluation it holds back errors and the end of the channel. A server that closes directly after sending
/// its certificate is therefore still reported with the verdict. When the server is accepted, the handler removes
/// itself. After a failure it stays and suppresses subsequent errors.
final class HandshakeGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// The gate of this handshake.
    let gate: VerificationGate

    private let observer: ServerHelloObserver
    private let tls: NIOSSLClientHandler
    private let deadline: Duration
    private let outcome: EventLoopPromise<TLSFacts>
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    private let metrics: TLSMetrics?
    /// The start of the handshake.
    private var began: NIODeadline?
    private var holdsInactive = false
    private var applicationProtocol: String?

    /// Makes a guard that completes `outcome` once, with the facts, a `TrustRefusal` or a ``HandshakeFailure``.
    init(
        gate: VerificationGate, observer: ServerHelloObserver, tls: NIOSSLClientHandler, deadline: Duration,
        outcome: EventLoopPromise<TLSFacts>, metrics: TLSMetrics? = nil
    ) {
        self.gate = gate
        self.observer = observer
        self.tls = tls
        self.deadline = deadline
        self.outcome = outcome
        self.metrics = metrics
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        gate.whenDecided {
            let handshake = bound.value
            handshake.observer.judged()
            handshake.perform(handshake.gate.told())
        }
        if context.channel.isActive {
            begin(context: context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        // NIO removes a closed channel's handlers immediately. If an evaluation is still running, the outcome and its
        // timer outlive the pipeline.
        channelFailed(NIOSSLError.uncleanShutdown)
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context: context)
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case TLSUserEvent.handshakeCompleted(let negotiated)? = event as? TLSUserEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        applicationProtocol = negotiated
        let action = gate.completed()
        perform(action)
        guard case .succeed = action else { return }
        context.fireUserInboundEventTriggered(event)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if gate.isAccepted {
            context.fireErrorCaught(error)
        } else {
            channelFailed(error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        channelFailed(NIOSSLError.uncleanShutdown)
        if gate.isOver {
            context.fireChannelInactive()
        } else {
            holdsInactive = true
        }
    }

    private func begin(context: ChannelHandlerContext) {
        guard began == nil else { return }
        began = context.eventLoop.now
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(clamping: deadline)) { [self] in
            perform(gate.deadlinePassed())
        }
    }

    private func channelFailed(_ error: any Error) {
        perform(gate.channelFailed(TLSErrorClassification(error, firstBytes: observer.finding)))
    }

    private func perform(_ action: HandshakeMachine.Action) {
        switch action {
        case .succeed(let verdict, let presented): succeed(verdict, presented)
        case .refuse(let verdict): fail(TrustRefusal(verdict))
        case .fail(let failure): fail(failure)
        // The gate performs these actions.
        case .judge, .refuseUnseen, .answer, .nothing: break
        }
    }

    private func succeed(_ verdict: TrustVerdict, _ presented: PresentedChain) {
        ended(nil)
        // Asks this TLS handler, not the pipeline: the pipeline may also contain the TLS handler of a proxy below.
        let version = tls.tlsVersion
        let suite: String? =
            if case .hello(let number) = observer.finding { ServerHelloReader.name(ofCipherSuite: number) } else { nil }
        context?.pipeline.syncOperations.removeHandler(observer, promise: nil)
        outcome.succeed(
            TLSFacts(
                verdict: verdict, presented: presented, version: version?.name, cipherSuite: suite,
                applicationProtocol: applicationProtocol))
    }

    /// Stops the timer and records the duration of the handshake, unless the connection was never established.
    private func ended(_ error: (any Error)?) {
        timer?.cancel()
        timer = nil
        guard let metrics, let began else { return }
        metrics.ended(error, after: outcome.futureResult.eventLoop.now - began)
    }

    private func fail(_ error: any Error) {
        ended(error)
        outcome.fail(error)
        guard let context else { return }
        context.fireErrorCaught(error)
        if holdsInactive {
            holdsInactive = false
            context.fireChannelInactive()
        } else {
            // The TLS handler sends its alert in this event loop turn or the next one. Close after that.
            let channel = context.channel
            context.eventLoop.execute {
                channel.eventLoop.execute { channel.cut() }
            }
        }
    }
}

extension TLSVersion {
    fileprivate var name: String {
        switch self {
        case .tlsv1: "TLSv1.0"
        case .tlsv11: "TLSv1.1"
        case .tlsv12: "TLSv1.2"
        case .tlsv13: "TLSv1.3"
        }
    }
}
