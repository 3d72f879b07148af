public import HTTPTypes

/// What one WebSocket connection may want.
public struct WebSocketOptions: Sendable {
    /// Header fields to send with the upgrade: a credential, a cookie, an origin. Those that belong to the upgrade
    /// itself (`Host`, `Connection`, `Upgrade`, `Sec-WebSocket-…`) make it fail with
    /// ``WebSocketError/Code-swift.struct/invalidOptions``.
    public var headers: HTTPFields
    /// The subprotocols to offer, the most wanted first. The server may choose one, or none.
    public var subprotocols: [String]
    /// How long resolving and connecting may take; `nil`: as the client's configuration says.
    public var connectTimeout: Duration?
    /// How long the TLS handshake may take; `nil`: as the client's configuration says.
    public var tlsTimeout: Duration?
    /// How long the server may take to answer the upgrade. Thirty seconds by default.
    public var upgradeTimeout: Duration
    /// How long the server has to answer a close frame, and then to close the socket, before it is cut. Five seconds by
    /// default.
    public var closeTimeout: Duration
    /// When silence is questioned; `nil`: never. By default a ping after thirty seconds, and ten for the answer.
    public var keepAlive: WebSocketKeepAlive?
    /// How much the server may send.
    public var limits: WebSocketLimits
    /// The most bytes that are kept of the body of an answer that refuses the upgrade. 16 KiB by default.
    public var maximumRefusalBody: Int
    /// The size of the frames that longer messages are split into; `nil`, the default: each message is one frame.
    public var fragmentSize: Int?
    /// The compression to offer; `nil`, the default: none. Read ``WebSocketDeflate`` about when not to.
    public var deflate: WebSocketDeflate?
    /// Whether messages are handed over in parts as they arrive, and not when they are complete. Off by default. See
    /// ``WebSocketConnection/parts``.
    public var deliversParts: Bool

    /// Makes options.
    public init(
        headers: HTTPFields = [:], subprotocols: [String] = [], connectTimeout: Duration? = nil,
        tlsTimeout: Duration? = nil, upgradeTimeout: Duration = .seconds(30), closeTimeout: Duration = .seconds(5),
        keepAlive: WebSocketKeepAlive? = WebSocketKeepAlive(), limits: WebSocketLimits = WebSocketLimits(),
        maximumRefusalBody: Int = 16 * 1024, fragmentSize: Int? = nil,
        deflate: WebSocketDeflate? = nil, deliversParts: Bool = false
    ) {
        self.headers = headers
        self.subprotocols = subprotocols
        self.connectTimeout = connectTimeout
        self.tlsTimeout = tlsTimeout
        self.upgradeTimeout = upgradeTimeout
        self.closeTimeout = closeTimeout
        self.keepAlive = keepAlive
        self.limits = limits
        self.maximumRefusalBody = maximumRefusalBody
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
