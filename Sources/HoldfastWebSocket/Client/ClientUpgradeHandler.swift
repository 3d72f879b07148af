import HTTPTypes
import HoldfastNIO
import HoldfastTransport
import NIOCore
import NIOHTTP1

/// Sends the request for an upgrade, and reads the answer to it.
final class ClientUpgradeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private enum State {
        /// The request is out. Next: any.
        case waiting(informational: Int)
        /// The head of a valid `101` has come, its end not. Next: `passing` or `done`.
        case accepted(subprotocol: String?)
        /// The head of another answer has come; its body follows. Next: `done`.
        case refused(WebSocketRefusal)
        /// The connection is a WebSocket; what the decoder has left over goes to it.
        case passing
        /// The attempt has failed.
        case done
    }

    private let attempt: ClientAttempt
    private let facts: ConnectionFacts
    private let codec: [any RemovableChannelHandler]
    private var state = State.waiting(informational: 0)
    private var deadline: Scheduled<Void>?

    init(attempt: ClientAttempt, facts: ConnectionFacts, codec: [any RemovableChannelHandler]) {
        self.attempt = attempt
        self.facts = facts
        self.codec = codec
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
        deadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .waiting(let informational):
            if case .head(let head) = unwrapInboundIn(data) {
                received(head, informational: informational, context: context)
            }
        case .accepted(let subprotocol):
            if case .end = unwrapInboundIn(data) { open(subprotocol: subprotocol, context: context) }
        case .refused(let refusal):
            received(unwrapInboundIn(data), of: refusal, context: context)
        case .passing:
            context.fireChannelRead(data)
        case .done:
            break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        switch state {
        case .refused(let refusal): finish(refusal, isTruncated: true, context: context)
        case .passing, .done: break
        case .waiting, .accepted:
            fail(.connectionClosed, "The server closed the connection instead of answering.", context: context)
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .passing = state { return context.fireErrorCaught(error) }
        if case .refused(let refusal) = state { return finish(refusal, isTruncated: true, context: context) }
        switch error {
        case is HTTPParserError, is NIOHTTPDecoderError:
            fail(.malformedResponse, "The server's answer to the upgrade is not HTTP: \(error).", context: context)
        default:
            fail(.connectionClosed, "The connection broke before the server answered: \(error).", context: context)
        }
    }

    // MARK: The answer

    private func received(_ head: HTTPResponseHead, informational: Int, context: ChannelHandlerContext) {
        let status = Int(head.status.code)
        guard let fields = HTTPFields(head.headers) else {
            return fail(.malformedResponse, "The server's answer has a field whose name is no token.", context: context)
        }
        switch status {
        case 101:
            do throws(WebSocketError) {
                state = .accepted(subprotocol: try attempt.handshake.accept(fields))
            } catch {
                fail(error, context: context)
            }
        case 100..<200:
            // RFC 9110, 15.2: any number may come before the answer; not here.
            guard informational < attempt.limits.informationalResponses else {
                return fail(.malformedResponse, "The server sends too many informational answers.", context: context)
            }
            state = .waiting(informational: informational + 1)
        default:
            state = .refused(WebSocketRefusal(status: status, headerFields: fields))
        }
    }

    private func received(
        _ part: HTTPClientResponsePart, of refusal: WebSocketRefusal, context: ChannelHandlerContext
    ) {
        switch part {
        case .head:
            break
        case .body(let bytes):
            var refusal = refusal
            let room = attempt.options.maximumRefusalBody - refusal.body.count
            refusal.body.append(contentsOf: bytes.readableBytesView.prefix(max(0, room)))
            if bytes.readableBytes > room {
                finish(refusal, isTruncated: true, context: context)
            } else {
                state = .refused(refusal)
            }
        case .end:
            finish(refusal, isTruncated: false, context: context)
        }
    }

    private func open(subprotocol: String?, context: ChannelHandlerContext) {
        state = .passing
        deadline?.cancel()
        do {
            let connection = try WebSocketConnection.install(
                on: context.channel, attempt.parts(subprotocol: subprotocol, facts: facts))
            let pipeline = context.pipeline.syncOperations
            // The decoder hands what came behind the 101 to this handler as it leaves, and this one to the WebSocket.
            EventLoopFuture.andAllComplete(codec.map { pipeline.removeHandler($0) }, on: context.eventLoop)
                .assumeIsolated()
                .whenComplete { _ in
                    pipeline.removeHandler(self, promise: nil)
                    self.attempt.settle(.success(connection))
                }
        } catch {
            state = .done
            fail(.connectionClosed, "The connection closed during the upgrade: \(error).", context: context)
        }
    }

    // MARK: The end

    private func timedOut(context: ChannelHandlerContext) {
        switch state {
        case .waiting, .accepted:
            fail(.timedOut, "The server did not answer the upgrade in time.", context: context)
        case .refused(let refusal):
            finish(refusal, isTruncated: true, context: context)
        case .passing, .done:
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
