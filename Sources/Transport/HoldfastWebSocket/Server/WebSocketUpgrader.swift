package import Logging
package import NIOCore

/// Lets one port serve both HTTP/1.1 and WebSocket: looks at the first request of a connection and sets up the one or
/// the other.
///
/// A request that asks for no WebSocket reaches the HTTP server byte for byte as it came. Only the first request of a
/// connection can be an upgrade; a later one is the HTTP server's to refuse.
package struct WebSocketUpgrader: Sendable {
    /// Decides on a request. Called on the connection's event loop, which is handed in for making the future; it must
    /// not block.
    package typealias Decide =
        @Sendable (WebSocketUpgradeRequest, any EventLoop) -> EventLoopFuture<WebSocketDecision>

    let options: WebSocketServerOptions
    let logger: Logger?
    let decide: Decide

    /// Makes an upgrader.
    package init(
        options: WebSocketServerOptions = WebSocketServerOptions(), logger: Logger? = nil, decide: @escaping Decide
    ) {
        self.options = options
        self.logger = logger
        self.decide = decide
    }

    /// Prepares a fresh channel, whose pipeline holds nothing above TLS. Call it on the channel's event loop.
    ///
    /// - Parameter http: Sets up the HTTP server, its codec included, at the end of the pipeline. Called on the event
    ///   loop once the first request is known to be no upgrade.
    /// - Returns: What the connection turns out to be. It fails only if `http` does; the channel is closed then.
    package func configure<HTTP: Sendable>(
        _ channel: any Channel, http: @escaping @Sendable (any Channel) -> EventLoopFuture<HTTP>
    ) throws -> EventLoopFuture<WebSocketServerOutcome<HTTP>> {
        let promise = channel.eventLoop.makePromise(of: WebSocketServerOutcome<HTTP>.self)
        let handler = WebSocketUpgradeHandler(upgrader: self, http: http, outcome: promise)
        do {
            try channel.pipeline.syncOperations.addHandler(handler)
        } catch {
            promise.succeed(.ended)
            throw error
        }
        return promise.futureResult
    }
}
