package import HTTPTypes
import HoldfastTransport
package import Logging
package import NIOCore

/// The server's end of a connection whose upgrade somebody else has answered.
package enum WebSocketServerRole {
    /// Makes a WebSocket of a channel on which a `101` was just sent, and whose pipeline holds nothing but what is
    /// below HTTP. Call it on the channel's event loop.
    ///
    /// ``ServerHandshake`` judges the request and says what the `101` has to hold; ``WebSocketUpgrader`` does all of
    /// it.
    ///
    /// - Parameters:
    ///   - leftOver: Bytes that came behind the request; they are the first frames.
    ///   - deflate: The compression that the `101` has granted, by ``DeflateNegotiation/answer(_:options:)``.
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

/// How the server's end of a connection behaves.
package struct WebSocketServerOptions: Hashable, Sendable {
    /// How much a client may send.
    package var limits: WebSocketLimits
    /// When silence is questioned; `nil`: never.
    package var keepAlive: WebSocketKeepAlive?
    /// How long a client has to answer a close frame.
    package var closeTimeout: Duration
    /// The size of the frames that longer messages are split into; `nil`: each message is one frame.
    package var fragmentSize: Int?
    /// The compression that is granted to clients that offer it; `nil`, the default: none.
    package var deflate: WebSocketDeflate?
    /// Whether messages are handed over in parts as they arrive.
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

/// What a server does with a proper request for an upgrade.
package enum WebSocketDecision: Sendable {
    /// Grant it. The subprotocol has to be one that the client offers; another one is answered with 500.
    case accept(subprotocol: String? = nil, headers: HTTPFields = [:])
    /// Refuse it, and close the connection.
    case reject(WebSocketRejection)
    /// Leave it to the HTTP server, like any other request.
    case pass
}

/// What became of an accepted connection.
package enum WebSocketServerOutcome<HTTP: Sendable>: Sendable {
    /// The upgrade was granted; messages can go both ways.
    case webSocket(WebSocketConnection, WebSocketUpgradeRequest)
    /// The first request asked for no WebSocket: what the HTTP server's set-up returned.
    case http(HTTP)
    /// The connection ended before there was either, or its upgrade was refused.
    case ended
}
