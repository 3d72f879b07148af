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

/// When a connection that stays silent is asked for a sign of life, and when it is given up.
public struct WebSocketKeepAlive: Hashable, Sendable {
    /// The silence after which a ping is sent. Anything received counts as a sign of life.
    public var interval: Duration
    /// How long the peer may then stay silent before the connection is cut with
    /// ``WebSocketError/Code-swift.struct/keepAliveTimedOut``.
    public var timeout: Duration

    /// Makes a keep-alive: by default a ping after thirty seconds of silence, and ten seconds for the answer. Times
    /// below one millisecond count as one.
    public init(interval: Duration = .seconds(30), timeout: Duration = .seconds(10)) {
        self.interval = max(interval, .milliseconds(1))
        self.timeout = max(timeout, .milliseconds(1))
    }
}

/// How much a peer may send before the connection is ended with a typed error. Values below one count as one.
public struct WebSocketLimits: Hashable, Sendable {
    /// The most bytes of payload in one frame, as they are on the wire: compressed ones where the message is. 16 MiB by
    /// default, as the limit for a message.
    public var maximumFrameSize: Int { didSet { maximumFrameSize = max(1, maximumFrameSize) } }
    /// The most bytes in one message, over all its fragments, and inflated where it was compressed. 16 MiB by default: above
    /// what chat and most JSON services send, and a sum that a phone can hold.
    public var maximumMessageSize: Int { didSet { maximumMessageSize = max(1, maximumMessageSize) } }
    /// The most fragments in one message, empty ones included. 16,384 by default: a 16 MiB message in fragments of 1
    /// KiB. Each piece of a message that the peer sends in pieces is at least one.
    public var maximumFragments: Int { didSet { maximumFragments = max(1, maximumFragments) } }
    /// The most bytes of messages that wait for the reader. Beyond it nothing more is read from the socket until the
    /// reader has taken half. 1 MiB by default. A message larger than this is still delivered, alone.
    public var receiveBuffer: Int { didSet { receiveBuffer = max(1, receiveBuffer) } }
    /// The most bytes that wait for the socket. Beyond it ``WebSocketConnection/send(_:)`` suspends until half has
    /// gone. 1 MiB by default.
    public var sendBuffer: Int { didSet { sendBuffer = max(1, sendBuffer) } }

    /// Makes limits.
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

    /// Pings of ``WebSocketConnection/ping()`` that may wait for their pong at a time. A fixed number: each costs a few
    /// bytes, and a program that has more than this under way does not look at the answers.
    package static let pendingPings = 64

    /// What a message counts for in ``receiveBuffer`` beside its bytes, so that many empty ones fill it, too.
    package static let messageOverhead = 64
}

/// Which end of a WebSocket connection this is. The rules about masking, and about who closes the socket, depend on it.
package enum WebSocketRole: Hashable, Sendable, CaseIterable {
    /// The end that asked for the upgrade. It masks what it sends (RFC 6455, 5.3).
    case client
    /// The end that granted it. It must not mask (RFC 6455, 5.1).
    case server

    /// The other end's role.
    package var peer: WebSocketRole { self == .client ? .server : .client }
}
