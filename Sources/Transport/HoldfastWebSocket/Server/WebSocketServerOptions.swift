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
