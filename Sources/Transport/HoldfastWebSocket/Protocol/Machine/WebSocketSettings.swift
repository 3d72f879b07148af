/// The settings of a ``WebSocketMachine``.
package struct WebSocketSettings: Hashable, Sendable {
    /// The limits on what the peer may send.
    package var limits: WebSocketLimits
    /// The keep-alive settings; `nil` disables them.
    package var keepAlive: WebSocketKeepAlive?
    /// The timeout for the peer to answer a close frame, and again for it to close its end of the socket.
    package var closeTimeout: Duration
    /// The frame size into which longer messages are split; `nil` sends each message as one frame.
    package var fragmentSize: Int?
    /// The negotiated compression; `nil` if none.
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

/// Limits on what a peer may send. Exceeding one ends the connection with a typed error. Values below one count as one.
public struct WebSocketLimits: Hashable, Sendable {
    /// The maximum payload of one frame in bytes, as sent: compressed if the message is compressed. 16 MiB by default,
    /// like the message limit.
    ///
    /// - Error: `WebSocketError.Violation.frameTooLarge`
    public var maximumFrameSize: Int { didSet { maximumFrameSize = max(1, maximumFrameSize) } }
    /// The maximum size of one message in bytes, over all its fragments and after decompression. 16 MiB by default:
    /// more than chat and most JSON services send, and acceptable for a phone's memory.
    ///
    /// - Error: `WebSocketError.Violation.messageTooLarge`
    public var maximumMessageSize: Int { didSet { maximumMessageSize = max(1, maximumMessageSize) } }
    /// The maximum number of fragments in one message, including empty ones. 16,384 by default: a 16 MiB message in
    /// fragments of 1 KiB. A message that the peer sends in pieces has at least one fragment for each piece.
    ///
    /// - Error: `WebSocketError.Violation.tooManyFragments`
    public var maximumFragments: Int { didSet { maximumFragments = max(1, maximumFragments) } }
    /// The maximum number of message bytes that wait for the reader. At the limit, reading from the socket pauses until
    /// the reader has taken half. 1 MiB by default. A single larger message is still delivered.
    public var receiveBuffer: Int { didSet { receiveBuffer = max(1, receiveBuffer) } }
    /// The maximum number of bytes that wait for the socket. At the limit, ``WebSocketConnection/send(_:)`` suspends
    /// until half has been sent. 1 MiB by default.
    public var sendBuffer: Int { didSet { sendBuffer = max(1, sendBuffer) } }

    /// Makes limits. The parameters correspond to the properties.
    public init(
        maximumFrameSize: Int = 16 << 20, maximumMessageSize: Int = 16 << 20, maximumFragments: Int = 16_384,
        receiveBuffer: Int = 1 << 20, sendBuffer: Int = 1 << 20
    ) {
        self.maximumFrameSize = max(1, maximumFrameSize)
        self.maximumMessageSize = max(1, maximumMessageSize)
        self.maximumFragments = max(1, maximumFragments)
        self.receiveBuffer = max(1, receiveBuffer)
        self.sendBuffer = max(1, sendBuffer)
    }

    /// The maximum number of ``WebSocketConnection/ping()`` calls that may wait for their pong. It is fixed: each costs
    /// a few bytes, and no useful program has more pending pings.
    ///
    /// - Error: `WebSocketError.Code.tooManyPings`
    package static let pendingPings = 64

    /// The size in ``receiveBuffer`` that a message adds to its bytes, so that many empty messages also fill the
    /// buffer.
    package static let messageOverhead = 64
}

/// Keep-alive settings: when a silent peer is sent a ping, and when the connection is cut.
public struct WebSocketKeepAlive: Hashable, Sendable {
    /// The silence after which a ping is sent. All received data resets it.
    public var interval: Duration
    /// The time that the peer then has before the connection is cut with
    /// ``WebSocketError/Code-swift.struct/keepAliveTimedOut``.
    public var timeout: Duration

    /// Makes keep-alive settings. By default, a ping is sent after thirty seconds of silence, with ten seconds for the
    /// answer. Values below one millisecond count as one millisecond.
    public init(interval: Duration = .seconds(30), timeout: Duration = .seconds(10)) {
        self.interval = max(interval, .milliseconds(1))
        self.timeout = max(timeout, .milliseconds(1))
    }
}
