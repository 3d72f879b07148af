import HTTPTypes
import HoldfastNIO
import HoldfastTransport
import NIOCore
import NIOHTTP1

/// Sends the request for an upgrade, and reads every answer to it that is no `101`.
final class RefusalReader: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private enum State {
        /// The request is out. Next: `refused` or `done`.
        case waiting
        /// The head of an answer has come; its body follows. Next: `done`.
        case refused(WebSocketRefusal)
        /// The attempt is over.
        case done
    }

    private let attempt: ClientAttempt
    private var state = State.waiting
    private var deadline: Scheduled<Void>?

    init(attempt: ClientAttempt) {
        self.attempt = attempt
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let now = WebSocketInstant(nanoseconds: Int64(clamping: context.eventLoop.now.uptimeNanoseconds))
        let due = now.advanced(by: attempt.options.upgradeTimeout)
        deadline = context.eventLoop.assumeIsolated().scheduleTask(
            deadline: .uptimeNanoseconds(UInt64(max(0, due.nanoseconds)))
        ) {
            self.timedOut(context: context)
        }
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: attempt.handshake.target)
        head.headers.add(name: "Host", value: attempt.handshake.authority)
        for field in attempt.handshake.fields {
            head.headers.add(name: field.name.rawName, value: field.value)
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        state = .done
        deadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (state, unwrapInboundIn(data)) {
        case (.waiting, .head(let head)):
            guard let fields = HTTPFields(head.headers) else {
                return fail(
                    .malformedResponse, "The server's answer has a field whose name is no token.", context: context)
            }
            guard head.status.code >= 200 else {
                return fail(.malformedResponse, "The server's answer to the upgrade is not HTTP/1.1.", context: context)
            }
            state = .refused(WebSocketRefusal(status: Int(head.status.code), headerFields: fields))
        case (.refused(var refusal), .body(let bytes)):
            let room = max(0, attempt.options.maximumRefusalBody - refusal.body.count)
            refusal.body.append(contentsOf: bytes.readableBytesView.prefix(room))
            if bytes.readableBytes > room {
                finish(refusal, isTruncated: true, context: context)
            } else {
                state = .refused(refusal)
            }
        case (.refused(let refusal), .end):
            finish(refusal, isTruncated: false, context: context)
        default:
            break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        switch state {
        case .waiting:
            fail(.connectionClosed, "The server closed the connection instead of answering.", context: context)
        case .refused(let refusal):
            finish(refusal, isTruncated: true, context: context)
        case .done:
            break
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (state, error) {
        case (.done, _):
            break
        case (_, let error as TransportError) where error.code == .trustRefused:
            fail(error, context: context)
        case (.refused(let refusal), _):
            finish(refusal, isTruncated: true, context: context)
        case (.waiting, is HTTPParserError), (.waiting, is NIOHTTPDecoderError):
            fail(.malformedResponse, "The server's answer to the upgrade is not HTTP: \(error).", context: context)
        case (.waiting, _):
            fail(.connectionClosed, "The connection broke before the server answered: \(error).", context: context)
        }
    }

    private func timedOut(context: ChannelHandlerContext) {
        switch state {
        case .waiting:
            fail(.timedOut, "The server did not answer the upgrade in time.", context: context)
        case .refused(let refusal):
            finish(refusal, isTruncated: true, context: context)
        case .done:
            break
        }
    }

    private func finish(_ refusal: WebSocketRefusal, isTruncated: Bool, context: ChannelHandlerContext) {
        var refusal = refusal
        refusal.bodyIsTruncated = isTruncated
        fail(WebSocketError(refusal: refusal), context: context)
    }

    private func fail(_ code: TransportError.Code, _ reason: String, context: ChannelHandlerContext) {
        fail(TransportError(code, in: .upgrading, reason), context: context)
    }

    private func fail(_ error: any Error, context: ChannelHandlerContext) {
        state = .done
        deadline?.cancel()
        attempt.settle(.failure(error))
        context.channel.cut()
    }
}
