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
