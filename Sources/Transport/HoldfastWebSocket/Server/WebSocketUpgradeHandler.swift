import HTTPTypes
import HoldfastNIO
import Logging
import NIOCore
import NIOTLS

/// Holds the first bytes of a connection until its protocol is determined.
final class WebSocketUpgradeHandler<HTTP: Sendable>: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        /// The head of the first request is incomplete. Next: `deciding` or `done`.
        case sniffing
        /// The decision is pending, or the HTTP server is being set up. Next: `done`.
        case deciding
        /// All data passes through, or is dropped after a refusal.
        case done(drops: Bool)
    }

    /// The maximum head size that is examined, in bytes. Real WebSocket clients send smaller heads. A longer one is
    /// left to the HTTP server, which has its own limit.
    private let maximumHead = 16 * 1024
    /// The timeout for the head. After that, the connection is left to the HTTP server, which has its own timeouts.
    private let patience = TimeAmount.seconds(10)

    /// The time that a refused client has to close its end.
    private let lingering = TimeAmount.seconds(5)

    private let upgrader: WebSocketUpgrader
    private let http: @Sendable (any Channel) -> EventLoopFuture<HTTP>
    private let http2: (@Sendable (any Channel) -> EventLoopFuture<HTTP>)?
    private let outcome: EventLoopPromise<WebSocketServerOutcome<HTTP>>
    private var state = State.sniffing
    /// Whether the TLS handshake is complete.
    private var isNegotiated = false
    private var isSettled = false
    private var held = ByteBuffer()
    private var reader = RequestHead.Reader()
    private var wantsRead = false
    /// Whether the client closed its direction while the decision was pending.
    private var sawEnd = false
    private var timer: Scheduled<Void>?

    init(
        upgrader: WebSocketUpgrader, http: @escaping @Sendable (any Channel) -> EventLoopFuture<HTTP>,
        http2: (@Sendable (any Channel) -> EventLoopFuture<HTTP>)?,
        outcome: EventLoopPromise<WebSocketServerOutcome<HTTP>>
    ) {
        self.upgrader = upgrader
        self.http = http
        self.http2 = http2
        self.outcome = outcome
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
            guard case .sniffing = self.state else { return }
            // Without the end of the TLS handshake, the protocol is not known.
            if self.http2 != nil, !self.isNegotiated { return context.close(promise: nil) }
            self.leaveToHTTP(context: context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        settle(.success(.ended))
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        state = .done(drops: true)
        settle(.success(.ended))
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .sniffing, .deciding:
            var buffer = unwrapInboundIn(data)
            held.writeBuffer(&buffer)
            if case .sniffing = state { sniff(context: context) }
        case .done(let drops):
            if !drops { context.fireChannelRead(data) }
        }
    }

    func read(context: ChannelHandlerContext) {
        // While the decision is pending, no additional data is requested.
        if case .deciding = state { wantsRead = true } else { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch (state, event) {
        case (.sniffing, is ChannelShouldQuiesceEvent):
            context.close(promise: nil)
        case (.sniffing, ChannelEvent.inputClosed):
            sawEnd = true
            leaveToHTTP(context: context)
        case (.deciding, ChannelEvent.inputClosed):
            sawEnd = true
        case (.sniffing, let event as TLSUserEvent):
            context.fireUserInboundEventTriggered(event)
            guard case .handshakeCompleted(let name) = event else { return }
            isNegotiated = true
            if name == "h2", let http2 { leave(to: http2, context: context) }
        case (.done(drops: true), ChannelEvent.inputClosed):
            context.channel.cut()
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Deciding

    private func sniff(context: ChannelHandlerContext) {
        switch held.withUnsafeReadableBytes({ reader.examine($0) }) {
        case .incomplete:
            if held.readableBytes > maximumHead { leaveToHTTP(context: context) }
        case .other:
            leaveToHTTP(context: context)
        case .head(let head, let size):
            let finding = ServerHandshake.examine(
                method: head.method, target: head.target, isHTTP11: head.isHTTP11, fields: head.fields)
            switch finding {
            case .plainRequest:
                leaveToHTTP(context: context)
            case .invalid(let rejection):
                refuse(rejection, context: context)
            case .upgrade(let request):
                consult(request, size: size, context: context)
            }
        }
    }

    private func consult(_ request: WebSocketUpgradeRequest, size: Int, context: ChannelHandlerContext) {
        state = .deciding
        upgrader.decide(request, context.eventLoop).hop(to: context.eventLoop).assumeIsolated().whenComplete { result in
            guard case .deciding = self.state else { return }
            switch result {
            case .success(.accept(let subprotocol, let headers)):
                guard subprotocol.map(request.subprotocols.contains) ?? true else {
                    return self.refuse(
                        WebSocketRejection(
                            status: 500, reason: "The server chose a subprotocol that the client did not offer."),
                        context: context)
                }
                self.held.moveReaderIndex(forwardBy: size)
                self.grant(request, subprotocol: subprotocol, headers: headers, context: context)
            case .success(.reject(let rejection)):
                self.refuse(rejection, context: context)
            case .success(.pass):
                self.leaveToHTTP(context: context)
            case .failure:
                self.refuse(
                    WebSocketRejection(status: 500, reason: "The server failed to decide on the upgrade."),
                    context: context)
            }
        }
    }

    private func grant(
        _ request: WebSocketUpgradeRequest, subprotocol: String?, headers: HTTPFields, context: ChannelHandlerContext
    ) {
        let deflate = DeflateNegotiation.answer(request.extensions, options: upgrader.options.deflate)
        let fields = ServerHandshake.fields(
            for: request, subprotocol: subprotocol, extensions: deflate?.text, extra: headers)
        let head = UpgradeResponse(status: .switchingProtocols, fields: fields)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: head.bytes)), promise: nil)
        do {
            let connection = try WebSocketServerRole.configure(
                channel: context.channel, options: upgrader.options, subprotocol: subprotocol,
                deflate: deflate?.agreement, logger: upgrader.logger)
            // The connection reports the outcome of the remaining bytes, including the end of the connection.
            settle(.success(.webSocket(connection, request)))
            pass(context: context)
        } catch {
            context.close(promise: nil)
            settle(.failure(error))
        }
    }

    private func refuse(_ rejection: WebSocketRejection, context: ChannelHandlerContext) {
        upgrader.logger?.debug("Refused a WebSocket upgrade", metadata: ["status": "\(rejection.status)"])
        state = .done(drops: true)
        held = ByteBuffer()
        // Reads and drops data that the client has already sent. Closing with unread data would reset the connection,
        // and the response could be lost.
        let finished = context.eventLoop.makePromise(of: Void.self)
        finished.futureResult.assumeIsolated().whenComplete { [sawEnd] result in
            if case .failure = result { return context.channel.cut() }
            if sawEnd { context.channel.cut() }
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: rejection.bytes)), promise: nil)
        context.close(mode: .output, promise: finished)
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: lingering) { context.channel.cut() }
        readOn(context: context)
        settle(.success(.ended))
    }

    private func leaveToHTTP(context: ChannelHandlerContext) {
        leave(to: http, context: context)
    }

    private func leave(
        to http: @Sendable (any Channel) -> EventLoopFuture<HTTP>, context: ChannelHandlerContext
    ) {
        state = .deciding
        http(context.channel).hop(to: context.eventLoop).assumeIsolated().whenComplete { result in
            guard case .deciding = self.state else { return }
            switch result {
            case .success(let value):
                self.settle(.success(.http(value)))
                self.pass(context: context)
            case .failure(let error):
                self.state = .done(drops: true)
                self.settle(.failure(error))
                context.close(promise: nil)
            }
        }
    }

    /// Passes all data through from now on, beginning with the held data.
    private func pass(context: ChannelHandlerContext) {
        state = .done(drops: false)
        if held.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(held))
            context.fireChannelReadComplete()
            held = ByteBuffer()
        }
        if sawEnd { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        readOn(context: context)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    /// Repeats the read request that was delayed during the decision.
    private func readOn(context: ChannelHandlerContext) {
        guard wantsRead else { return }
        wantsRead = false
        context.read()
    }

    private func settle(_ result: Result<WebSocketServerOutcome<HTTP>, any Error>) {
        guard !isSettled else { return }
        isSettled = true
        outcome.completeWith(result)
    }
}
