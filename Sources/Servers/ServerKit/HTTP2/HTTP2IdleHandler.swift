package import NIOCore
package import NIOHTTP2

/// Closes an HTTP/2 connection that has had no stream for a time. After a graceful shutdown of the server has begun, or
/// the client has closed its direction, closes it as soon as it has no stream.
///
/// The client is then told which request was the last one that counts (GOAWAY, RFC 9113 §6.8), so that it can repeat
/// later ones. NIO's `NIOHTTP2ServerConnectionManagementHandler` also waits for the answer to a PING, without a time
/// limit: a client that does not answer would keep its connection.
package final class HTTP2IdleHandler: ChannelInboundHandler {
    package typealias InboundIn = HTTP2Frame
    package typealias OutboundOut = HTTP2Frame

    /// Counts the streams.
    package struct Delegate: NIOHTTP2StreamDelegate {
        private let handler: NIOLoopBound<HTTP2IdleHandler>

        fileprivate init(_ handler: HTTP2IdleHandler, on loop: any EventLoop) {
            self.handler = NIOLoopBound(handler, eventLoop: loop)
        }

        /// Called by NIOHTTP2 on the event loop.
        package func streamCreated(_ id: HTTP2StreamID, channel: any Channel) {
            handler.value.opened(id)
        }

        /// Called by NIOHTTP2 on the event loop.
        package func streamClosed(_ id: HTTP2StreamID, channel: any Channel) {
            handler.value.closed()
        }
    }

    private let loop: any EventLoop
    private let time: TimeAmount
    private var context: ChannelHandlerContext?
    private var streams = 0
    private var lastStream = HTTP2StreamID.rootStream
    private var isQuiescing = false
    private var timer: Scheduled<Void>?

    /// Creates a handler for one connection.
    package init(on loop: any EventLoop, time: TimeAmount) {
        self.loop = loop
        self.time = time
    }

    /// The delegate for NIOHTTP2.
    package var delegate: Delegate { Delegate(self, on: loop) }

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        arm()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        disarm()
        self.context = nil
    }

    package func channelInactive(context: ChannelHandlerContext) {
        disarm()
        context.fireChannelInactive()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A client that has closed its direction can open no more streams either.
        if event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed {
            isQuiescing = true
            end()
        }
        context.fireUserInboundEventTriggered(event)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIOHTTP2 leaves the end of a connection to the server, and reports errors of streams in the same way as
        // errors of the connection. Both end it.
        context.close(promise: nil)
    }

    private func opened(_ id: HTTP2StreamID) {
        streams += 1
        lastStream = max(lastStream, id)
        disarm()
    }

    private func closed() {
        streams -= 1
        guard streams == 0 else { return }
        guard isQuiescing else { return arm() }
        // The last frame of the stream is not flushed yet.
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute { bound.value.end() }
    }

    private func end() {
        guard let context, streams == 0 else { return }
        let goAway = HTTP2Frame.FramePayload.goAway(
            lastStreamID: lastStream, errorCode: .noError, opaqueData: nil)
        context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: goAway)), promise: nil)
        context.close(promise: nil)
    }

    private func arm() {
        guard context?.channel.isActive == true else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        timer = loop.scheduleTask(in: time) { bound.value.end() }
    }

    private func disarm() {
        timer?.cancel()
        timer = nil
    }
}
