package import HTTPTypes
import HoldfastTransport
package import Logging
package import NIOCore

/// The server's end of a connection whose upgrade other code has answered.
package enum WebSocketServerRole {
    /// Turns a channel into a WebSocket after a `101` response was sent on it. The pipeline must contain only the
    /// handlers below HTTP. Call this method on the channel's event loop.
    ///
    /// ``ServerHandshake`` checks the request and determines the content of the `101` response. ``WebSocketUpgrader``
    /// performs all steps.
    ///
    /// - Parameters:
    ///   - leftOver: The bytes after the request, which are the first frames.
    ///   - deflate: The compression that the `101` response granted, from ``DeflateNegotiation/answer(_:options:)``.
    package static func configure(
        channel: any Channel, leftOver: ByteBuffer? = nil, options: WebSocketServerOptions = WebSocketServerOptions(),
        subprotocol: String? = nil, deflate: DeflateAgreement? = nil, logger: Logger? = nil
    ) throws -> WebSocketConnection {
        try WebSocketConnection.install(
            on: channel,
            WebSocketConnection.Parts(
                role: .server, settings: options.settings(deflate), entropy: .system, subprotocol: subprotocol,
                facts: ConnectionFacts(remoteAddress: channel.remoteAddress.map(NetworkDialler.text) ?? ""),
                logger: logger),
            leftOver: leftOver)
    }
}

/// Options of the server's end of a connection.
package struct WebSocketServerOptions: Hashable, Sendable {
    /// The limits on what a client may send.
    package var limits: WebSocketLimits
    /// The keep-alive settings; `nil` disables them.
    package var keepAlive: WebSocketKeepAlive?
    /// The timeout for a client to answer a close frame.
    package var closeTimeout: Duration
    /// The frame size into which longer messages are split; `nil` sends each message as one frame.
    package var fragmentSize: Int?
    /// The compression to grant to clients that offer it; `nil`, the default, grants none.
    package var deflate: WebSocketDeflate?
    /// Whether messages are delivered in parts as they arrive.
    package var deliversParts: Bool

    package init(
        limits: WebSocketLimits = WebSocketLimits(), keepAlive: WebSocketKeepAlive? = WebSocketKeepAlive(),
        closeTimeout: Duration = .seconds(5), fragmentSize: Int? = nil,
        deflate: WebSocketDeflate? = nil, deliversParts: Bool = false
    ) {
        self.limits = limits
        self.keepAlive = keepAlive
        self.closeTimeout = closeTimeout
        self.fragmentSize = fragmentSize
        self.deflate = deflate
        self.deliversParts = deliversParts
    }

    func settings(_ deflate: DeflateAgreement?) -> WebSocketSettings {
        WebSocketSettings(
            limits: limits, keepAlive: keepAlive, closeTimeout: closeTimeout, fragmentSize: fragmentSize,
            deflate: deflate, deliversParts: deliversParts)
    }
}

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
    /// - Parameter http: Sets up the HTTP server, including its codec, at the end of the pipeline. Called on the event
    ///   loop when the first request is not an upgrade.
    /// - Returns: The protocol of the connection. The future fails only if `http` fails; the channel is then closed.
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
