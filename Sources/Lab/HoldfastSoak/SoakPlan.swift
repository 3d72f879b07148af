/// What a soak does. The same plan draws the same requests, faults and cancellations; how they interleave is up to the
/// sockets.
public struct SoakPlan: Hashable, Sendable, Codable {
    /// How client and servers talk.
    public enum Wire: String, Hashable, Sendable, Codable, CaseIterable {
        /// HTTP/1.1 in the clear.
        case plain
        /// HTTP/1.1 over TLS 1.3, judged by a policy that changes on the way.
        case tls
        /// HTTP/2 over TLS 1.3, under the same policies.
        case http2
    }

    /// How client and servers talk.
    public var wire: Wire
    /// How many requests.
    public var requests: Int
    /// What all random choices follow from.
    public var seed: UInt64
    /// How many requests are under way at a time.
    public var concurrency = 48
    /// Connections to one server. Fewer than ``concurrency``, so that requests wait.
    public var connectionsPerHost = 12
    /// Connections to both servers together. Fewer than twice ``connectionsPerHost``, so that hosts wait for each other.
    public var connections = 16

    /// A server that gives one request in fifty the bytes of another: the soak has to notice. For its own test.
    package var swapsAnswers = false

    /// Plans a soak.
    public init(_ wire: Wire, requests: Int, seed: UInt64) {
        self.wire = wire
        self.requests = max(1, requests)
        self.seed = seed
    }
}
