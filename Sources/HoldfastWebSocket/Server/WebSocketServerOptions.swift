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

    package init(
        limits: WebSocketLimits = WebSocketLimits(), keepAlive: WebSocketKeepAlive? = WebSocketKeepAlive(),
        closeTimeout: Duration = .seconds(5), fragmentSize: Int? = nil
    ) {
        self.limits = limits
        self.keepAlive = keepAlive
        self.closeTimeout = closeTimeout
        self.fragmentSize = fragmentSize
    }

    var settings: WebSocketSettings {
        WebSocketSettings(
            limits: limits, keepAlive: keepAlive, closeTimeout: closeTimeout, fragmentSize: fragmentSize)
    }
}
