extension WebSocketError {
    /// The stable name of a kind of failure. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The options cannot be sent: a header field that belongs to the upgrade itself, a subprotocol that is no
        /// token or named twice. Nothing was dialled.
        public static let invalidOptions = Code(rawValue: "invalidOptions")
        /// The server answered with another status than 101; ``WebSocketError/refusal`` holds the answer.
        public static let upgradeRefused = Code(rawValue: "upgradeRefused")
        /// The server answered 101, but not as RFC 6455, 4.1 demands.
        public static let invalidUpgrade = Code(rawValue: "invalidUpgrade")

        /// The peer broke a rule of the protocol; ``WebSocketError/violation`` says which.
        public static let protocolViolation = Code(rawValue: "protocolViolation")
        /// The peer passed a limit of ``WebSocketLimits``; ``WebSocketError/violation`` says which.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// The connection ended without a close frame.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The peer gave no sign of life within the time that ``WebSocketKeepAlive`` allows.
        public static let keepAliveTimedOut = Code(rawValue: "keepAliveTimedOut")

        /// zlib has failed, for lack of memory say. The connection is ended with 1011.
        public static let compressionFailed = Code(rawValue: "compressionFailed")

        /// The connection is closed or closing: nothing can be sent any more.
        public static let closed = Code(rawValue: "closed")
        /// Two tasks read the messages of one connection at a time.
        public static let concurrentReaders = Code(rawValue: "concurrentReaders")
        /// Too many pings wait for their pong.
        public static let tooManyPings = Code(rawValue: "tooManyPings")
    }
}
