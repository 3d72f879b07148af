import HoldfastNIO
import HoldfastTransport
import NIOCore

/// Stands where the bytes of the answer come in, and looks for a `101`. All that is not one goes on to the HTTP decoder
/// behind it.
final class GrantReader: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum State {
        /// Next: `passing` or `done`.
        case looking(informational: Int)
        /// What comes is for the handlers behind this one.
        case passing
        /// The attempt has failed.
        case done
    }

    private let attempt: ClientAttempt
    private let facts: ConnectionFacts
    /// The handlers that speak HTTP; they leave when the connection is a WebSocket.
    private let http: [any RemovableChannelHandler]
    private var state = State.looking(informational: 0)
    private var held = ByteBuffer()
    /// How much of it was searched for the end of the head.
    private var searched = 0

    init(attempt: ClientAttempt, facts: ConnectionFacts, http: [any RemovableChannelHandler]) {
        self.attempt = attempt
        self.facts = facts
        self.http = http
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .looking(let informational):
            var buffer = unwrapInboundIn(data)
            held.writeBuffer(&buffer)
            look(informational: informational, context: context)
        case .passing:
            context.fireChannelRead(data)
        case .done:
            break
        }
    }

    private func look(informational: Int, context: ChannelHandlerContext) {
        let known = searched
        searched = held.readableBytes
        switch held.withUnsafeReadableBytes({ UpgradeAnswer.examine($0, known: known) }) {
        case .incomplete:
            if held.readableBytes > attempt.limits.headBytes {
                fail(malformed("The head of the server's answer is too long."), context: context)
            }
        case .informational(let size):
            // RFC 9110, 15.2: any number may come before the answer; not here.
            guard informational < attempt.limits.informationalResponses else {
                return fail(malformed("The server sends too many informational answers."), context: context)
            }
            held.moveReaderIndex(forwardBy: size)
            searched = 0
            state = .looking(informational: informational + 1)
            look(informational: informational + 1, context: context)
        case .switching(let fields, let size):
            guard size <= attempt.limits.headBytes, fields.count <= attempt.limits.headerFields else {
                return fail(malformed("The head of the server's answer is too long."), context: context)
            }
            do throws(WebSocketError) {
                let granted = try attempt.handshake.accept(fields)
                held.moveReaderIndex(forwardBy: size)
                open(granted, context: context)
            } catch {
                fail(error, context: context)
            }
        case .malformed(let defect):
            var error = malformed("The server's answer to the upgrade is not valid HTTP/1.1 (\(defect)).")
            error.defect = defect
            fail(error, context: context)
        case .other:
            state = .passing
            context.fireChannelRead(wrapInboundOut(held))
            held = ByteBuffer()
        }
    }

    /// The handler of the WebSocket comes right behind this one, and gets what came behind the head before anything
    /// else.
    private func open(_ granted: ClientHandshake.Grant, context: ChannelHandlerContext) {
        state = .passing
        let pipeline = context.pipeline.syncOperations
        do {
            let connection = try WebSocketConnection.install(
                on: context.channel, attempt.parts(granted, facts: facts), position: .after(self))
            for handler in http { pipeline.removeHandler(handler, promise: nil) }
            attempt.settle(.success(connection))
            // Whatever comes of these bytes, the end of the connection included, is told by the connection.
            if held.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(held)) }
            held = ByteBuffer()
            pipeline.removeHandler(self, promise: nil)
        } catch {
            fail(
                TransportError(
                    .connectionClosed, in: .upgrading, "The connection closed during the upgrade: \(error)."),
                context: context)
        }
    }

    private func malformed(_ reason: String) -> TransportError {
        TransportError(.malformedResponse, in: .upgrading, reason)
    }

    private func fail(_ error: any Error, context: ChannelHandlerContext) {
        state = .done
        held = ByteBuffer()
        attempt.settle(.failure(error))
        context.channel.cut()
    }
}
