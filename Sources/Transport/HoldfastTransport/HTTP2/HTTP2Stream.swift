import NIOCore

/// A stream of HTTP/2, as its exchange sees it. Called from any thread.
final class HTTP2Stream: ExchangeCarrier {
    private let loop: any EventLoop
    private let handler: NIOLoopBound<HTTP2StreamHandler>

    /// Called on the connection's event loop.
    init(_ handler: HTTP2StreamHandler, on loop: any EventLoop) {
        self.loop = loop
        self.handler = NIOLoopBound(handler, eventLoop: loop)
    }

    func resumeReading(_ exchange: Exchange) {
        onLoop { $0.resumeReading(exchange) }
    }

    func bodyReady(_ exchange: Exchange) {
        onLoop { $0.bodyReady(exchange) }
    }

    func abort(_ exchange: Exchange) {
        onLoop { $0.abort(exchange) }
    }

    private func onLoop(_ action: @escaping @Sendable (HTTP2StreamHandler) -> Void) {
        if loop.inEventLoop {
            action(handler.value)
        } else {
            let handler = self.handler
            loop.execute { action(handler.value) }
        }
    }
}
