import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// Limits the request of an HTTP/2 stream, as ``ReceiveBudgetHandler`` and the HTTP/1.1 decoder do on a connection.
/// Resets a stream whose request or answer makes no progress. Removes the header fields of HTTP/1.1 connections from
/// the answer (RFC 9113 §8.2.2).
package final class HTTP2RequestGuard: ChannelDuplexHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private static let connectionFields: [HTTPField.Name] = [.connection, .upgrade, .transferEncoding]

    private let limits: HTTP2Connection.Limits
    private let timer: ProgressTimer
    /// Whether this handler has answered the request. The rest of it is dropped.
    private var isRefused = false
    private var isAnswered = false
    private var received = 0

    /// Creates a handler for one stream.
    package init(_ limits: HTTP2Connection.Limits) {
        self.limits = limits
        timer = ProgressTimer(limits.idleTime)
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        timer.restart(context)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        timer.stop()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        timer.stop()
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        timer.restart(context)
        switch unwrapInboundIn(data) {
        case .head(let request):
            if !limits.permit(request.headerFields) { refuse(context) }
        case .body(let bytes):
            received += bytes.readableBytes
            guard received <= limits.receiveLimit() else { return context.close(promise: nil) }
        case .end:
            // The server may take its time until it answers.
            if !isAnswered { timer.stop() }
        }
        if !isRefused { context.fireChannelRead(data) }
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        received = 0
        isAnswered = true
        // A client that does not read prevents the next write, or the end of the stream after the last one.
        timer.restart(context)
        guard case .head(var response) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        for name in Self.connectionFields { response.headerFields[name] = nil }
        context.write(wrapOutboundOut(.head(response)), promise: promise)
    }

    /// Answers like the HTTP/1.1 server.
    private func refuse(_ context: ChannelHandlerContext) {
        isRefused = true
        let response = HTTPResponse(status: .badRequest, headerFields: [.contentLength: "0"])
        write(context: context, data: wrapOutboundOut(.head(response)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
