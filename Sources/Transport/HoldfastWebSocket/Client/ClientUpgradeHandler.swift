import HoldfastNIO
import HoldfastTransport
import NIOCore

/// Sends the upgrade request and reads the response: a `101`, after which the WebSocket takes over, or a refusal.
final class ClientUpgradeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        /// The request was sent. Next: `refused` or `done`.
        case waiting
        /// The head of a refusal was received; its body follows. Next: `done`.
        case refused(WebSocketRefusal)
        /// The attempt has ended.
        case done
    }

    private let attempt: ClientAttempt
    private let facts: ConnectionFacts
    private var state = State.waiting
    private var reader: UpgradeReader
    private var deadline: Scheduled<Void>?

    init(attempt: ClientAttempt, facts: ConnectionFacts) {
        self.attempt = attempt
        self.facts = facts
        self.reader = UpgradeReader(limits: attempt.limits)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let timeout = TimeAmount(clamping: attempt.options.upgradeTimeout)
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            self.timedOut(context: context)
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: attempt.handshake.head)), promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        state = .done
        deadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        do throws(TransportError) {
            while !isDone, let event = try reader.next(&buffer) {
                receive(event, rest: buffer, context: context)
            }
        } catch {
            if case .refused(let refusal) = state {
                finish(refusal, isTruncated: true, context: context)
            } else {
                fail(error, context: context)
            }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        switch state {
        case .waiting:
            fail(
                .connectionClosed, "The server closed the connection without answering the upgrade request.",
                context: context)
        case .refused(let refusal):
            finish(refusal, isTruncated: !reader.connectionEnded(), context: context)
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
        case (.waiting, _):
            fail(
                .connectionClosed, "The connection failed before the server answered the upgrade request: \(error).",
                context: context)
        }
    }

    private var isDone: Bool { if case .done = state { true } else { false } }

    /// - Parameter rest: The bytes after the event.
    private func receive(_ event: UpgradeReader.Event, rest: ByteBuffer, context: ChannelHandlerContext) {
        switch (state, event) {
        case (.waiting, .switching(let fields)):
            do throws(WebSocketError) {
                open(try attempt.handshake.accept(fields), rest: rest, context: context)
            } catch {
                fail(error, context: context)
            }
        case (.waiting, .refused(let status, let fields)):
            state = .refused(WebSocketRefusal(status: status, headerFields: fields))
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

    /// Installs the WebSocket handler directly behind this one. It receives the bytes after the head before anything
    /// else.
    private func open(_ granted: ClientHandshake.Grant, rest: ByteBuffer, context: ChannelHandlerContext) {
        do {
            let connection = try WebSocketConnection.install(
                on: context.channel, attempt.parts(granted, facts: facts), position: .after(self))
            state = .done
            attempt.settle(.success(connection))
            // The connection reports the outcome of these bytes, including the end of the connection.
            if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch {
            fail(.connectionClosed, "The connection closed during the upgrade: \(error).", context: context)
        }
    }

    private func timedOut(context: ChannelHandlerContext) {
        switch state {
        case .waiting:
            fail(.timedOut, "The server did not answer the upgrade request before the timeout.", context: context)
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
