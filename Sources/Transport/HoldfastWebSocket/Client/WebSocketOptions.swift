public import HTTPTypes

/// Options of one WebSocket connection.
public struct WebSocketOptions: Sendable {
    /// Header fields to send with the upgrade request, such as credentials, cookies or an origin. The fields of the
    /// upgrade itself (`Host`, `Connection`, `Upgrade`, `Sec-WebSocket-…`) cause
    /// ``WebSocketError/Code-swift.struct/invalidOptions``.
    public var headers: HTTPFields
    /// The subprotocols to offer, in order of preference. The server may choose one or none.
    public var subprotocols: [String]
    /// The timeout for resolving and connecting; `nil` uses the client's configuration.
    public var connectTimeout: Duration?
    /// The timeout for the TLS handshake; `nil` uses the client's configuration.
    public var tlsTimeout: Duration?
    /// The timeout for the server's response to the upgrade request. Thirty seconds by default.
    public var upgradeTimeout: Duration
    /// The timeout for the server to answer a close frame, and again for it to close the socket. After that the
    /// connection is cut. Five seconds by default.
    public var closeTimeout: Duration
    /// The keep-alive settings; `nil` disables them. By default a ping is sent after thirty seconds of silence, with
    /// ten seconds for the answer.
    public var keepAlive: WebSocketKeepAlive?
    /// The limits on what the server may send.
    public var limits: WebSocketLimits
    /// The maximum number of bytes to keep of the body of a refusal. 16 KiB by default. The rest is not kept.
    public var maximumRefusalBody: Int
    /// The frame size into which longer messages are split; `nil`, the default, sends each message as one frame.
    public var fragmentSize: Int?
    /// The compression to offer; `nil`, the default, offers none. See ``WebSocketDeflate`` for its risks.
    public var deflate: WebSocketDeflate?
    /// Whether messages are delivered in parts as they arrive, instead of whole. Off by default. See
    /// ``WebSocketConnection/parts``.
    public var deliversParts: Bool

    /// Makes options. The parameters correspond to the properties.
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
