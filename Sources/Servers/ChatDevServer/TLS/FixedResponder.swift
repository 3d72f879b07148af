import Logging
import NIOCore
import NIOHTTP1

/// Answers every request with the same small JSON body and closes the connection.
final class FixedResponder: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let body = #"{"answer":"from the scenario server"}"#
    private let logger: Logger?

    init(logger: Logger?) {
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Request bodies are read and ignored.
        guard case .end = unwrapInboundIn(data) else { return }
        let headers: HTTPHeaders = [
            "content-type": "application/json", "content-length": "\(Self.body.utf8.count)", "connection": "close",
        ]
        context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: .ok, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: Self.body)))), promise: nil)
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in loopBound.value.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        context.close(promise: nil)
    }

    /// A client that refuses the certificate ends the connection here, which is the purpose of this server.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger?.debug("A connection to the scenario server failed", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }
}
