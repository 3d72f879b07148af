package import HTTPTypes
import HoldfastTransport
package import Logging
package import NIOCore

/// Serves HTTP/1.1 and WebSocket on one port: examines the first request of a connection and sets up the matching
/// protocol.
///
/// A request without an upgrade reaches the HTTP server unchanged. Only the first request of a connection can be an
/// upgrade; the HTTP server must refuse later ones.
package struct WebSocketUpgrader: Sendable {
    /// Decides on an upgrade request. Called on the connection's event loop, which is passed to create the future; must
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

    /// Prepares a new channel, whose pipeline contains nothing above TLS. Call this method on the channel's event loop.
    ///
    /// - Parameters:
    ///   - http2: Sets up an HTTP/2 server in the same way, as soon as client and server have agreed on `h2` by ALPN.
    ///     Only for servers that use TLS and offer `h2`. The TLS handshake must then end within 10 seconds.
    ///   - http: Sets up the HTTP server, including its codec, at the end of the pipeline. Called on the event loop
    ///     when the first request is not an upgrade.
    /// - Returns: The protocol of the connection. The future fails only if `http` fails; the channel is then closed.
    package func configure<HTTP: Sendable>(
        _ channel: any Channel, http2: (@Sendable (any Channel) -> EventLoopFuture<HTTP>)? = nil,
        http: @escaping @Sendable (any Channel) -> EventLoopFuture<HTTP>
    ) throws -> EventLoopFuture<WebSocketServerOutcome<HTTP>> {
        let promise = channel.eventLoop.makePromise(of: WebSocketServerOutcome<HTTP>.self)
        let handler = WebSocketUpgradeHandler(upgrader: self, http: http, http2: http2, outcome: promise)
        do {
            try channel.pipeline.syncOperations.addHandler(handler)
        } catch {
            promise.succeed(.ended)
            throw error
        }
        return promise.futureResult
    }
}

/// A server's decision on a valid upgrade request.
package enum WebSocketDecision: Sendable {
    /// Grant the upgrade. The client must have offered the subprotocol; otherwise the response is 500.
    case accept(subprotocol: String? = nil, headers: HTTPFields = [:])
    /// Refuse the upgrade and close the connection.
    case reject(WebSocketRejection)
    /// Pass the request to the HTTP server like any other request.
    case pass
}

/// The result of setting up an accepted connection.
package enum WebSocketServerOutcome<HTTP: Sendable>: Sendable {
    /// The upgrade was granted; messages can be sent and received.
    case webSocket(WebSocketConnection, WebSocketUpgradeRequest)
    /// The first request was not an upgrade; contains the result of the HTTP server's setup.
    case http(HTTP)
    /// The connection ended before its protocol was set up, or the upgrade was refused.
    case ended
}
