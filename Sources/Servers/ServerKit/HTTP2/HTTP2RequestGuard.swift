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
    /// Whether this handler has answered the request. The rest of it is dropped.
    private var isRefused = false
    private var isAnswered = false
    private var received = 0
    private var deadline = NIODeadline.distantFuture
    private var timer: Scheduled<Void>?

    /// Creates a handler for one stream.
    package init(_ limits: HTTP2Connection.Limits) {
        self.limits = limits
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        deadline = context.eventLoop.now + limits.idleTime
        arm(context)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        disarm()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        disarm()
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        deadline = context.eventLoop.now + limits.idleTime
        switch unwrapInboundIn(data) {
        case .head(let request):
            if !limits.permit(request.headerFields) { refuse(context) }
        case .body(let bytes):
            received += bytes.readableBytes
            guard received <= limits.receiveLimit() else { return context.close(promise: nil) }
        case .end:
            // The server may take its time until it answers.
            if !isAnswered { disarm() }
        }
        if !isRefused { context.fireChannelRead(data) }
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        received = 0
        isAnswered = true
        // A client that does not read prevents the next write, or the end of the stream after the last one.
        deadline = context.eventLoop.now + limits.idleTime
        if timer == nil { arm(context) }
        guard case .head(var response) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        for name in Self.connectionFields { response.headerFields[name] = nil }
        context.write(wrapOutboundOut(.head(response)), promise: promise)
    }

    /// Answers like the HTTP/1.1 server.
    private func refuse(_ context: ChannelHandlerContext) {
        isRefused = true
        isAnswered = true
        let response = HTTPResponse(status: .badRequest, headerFields: [.contentLength: "0"])
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Uses one timer for the stream. If it fires too early, it is set again.
    private func arm(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: deadline) {
            let (handler, context) = bound.value
            if context.eventLoop.now < handler.deadline {
                handler.arm(context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    private func disarm() {
        timer?.cancel()
        timer = nil
    }
}
