/// What a ``WebSocketMachine`` has to know.
package struct WebSocketSettings: Hashable, Sendable {
    /// How much the peer may send.
    package var limits: WebSocketLimits
    /// When silence is questioned; `nil`: never.
    package var keepAlive: WebSocketKeepAlive?
    /// How long the peer has to answer a close frame, and then to close its end of the socket.
    package var closeTimeout: Duration
    /// The size of the frames that longer messages are split into; `nil`: each message is one frame.
    package var fragmentSize: Int?
    /// What was agreed on about compression; `nil`: nothing is compressed.
    package var deflate: DeflateAgreement?
    /// Whether messages are delivered in parts, as they arrive.
    package var deliversParts: Bool

    package init(
        limits: WebSocketLimits = WebSocketLimits(), keepAlive: WebSocketKeepAlive? = nil,
        closeTimeout: Duration = .seconds(5), fragmentSize: Int? = nil, deflate: DeflateAgreement? = nil,
        deliversParts: Bool = false
    ) {
        self.limits = limits
        self.keepAlive = keepAlive
        self.closeTimeout = closeTimeout
        self.fragmentSize = fragmentSize.map { max(1, $0) }
        self.deflate = deflate
        self.deliversParts = deliversParts
    }
}
