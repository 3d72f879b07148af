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
