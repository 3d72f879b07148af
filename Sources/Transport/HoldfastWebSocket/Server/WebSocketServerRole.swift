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
