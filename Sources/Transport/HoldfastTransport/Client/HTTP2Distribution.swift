/// The distribution of requests over the HTTP/2 connections to one host.
///
/// HTTP/1.1 connections are not affected, because each carries one request at a time.
public struct HTTP2Distribution: Hashable, Sendable, CustomStringConvertible {
    /// The rule for several connections; `nil` for the oldest connection with a free stream.
    let spread: HTTP2Spread?

    /// Uses the oldest connection with a free stream. This is the default.
    ///
    /// Another connection is opened when no connection has a free stream. Most hosts are then served by one connection,
    /// which needs one handshake and one congestion window.
    public static let oldestFirst = HTTP2Distribution(spread: nil)

    /// Uses the connection with the lowest load, the share of the server's streams that are open.
    ///
    /// When all connections have reached the load factor, the client opens another one without delaying a request. When
    /// the load falls, requests use only as many of the oldest connections as it needs, so that the others reach
    /// ``TransportConfiguration/keepAlive``.
    ///
    /// - Parameters:
    /// - loadFactor: The load, from 0.01 to 1, at which another connection is opened. By default 1, when all streams
    ///   that the server allows are open. Values outside the range are clamped.
    /// - connections: The maximum number of HTTP/2 connections to one host. Four by default; at least one, and at most
    ///   ``TransportConfiguration/maximumConnectionsPerHost``.
    public static func leastLoaded(loadFactor: Double = 1, connections: Int = 4) -> HTTP2Distribution {
        HTTP2Distribution(spread: HTTP2Spread(loadFactor: loadFactor, connections: connections))
    }

    /// A textual representation of the value.
    public var description: String {
        guard let spread else { return "oldestFirst" }
        return "leastLoaded(loadFactor: \(Double(spread.permille) / 1000), connections: \(spread.connections))"
    }
}

/// The numbers of ``HTTP2Distribution/leastLoaded(loadFactor:connections:)``.
struct HTTP2Spread: Hashable, Sendable {
    /// The load factor in thousandths. An integer, so that every platform calculates the same thresholds.
    let permille: Int
    /// The maximum number of connections.
    let connections: Int

    init(loadFactor: Double, connections: Int) {
        // A load factor that is not a number is not a choice, so the default applies.
        permille = loadFactor.isNaN ? 1000 : Int((min(max(loadFactor, 0.01), 1) * 1000).rounded())
        self.connections = max(1, connections)
    }

    /// Returns the number of requests at which a connection has reached the load factor. A server that temporarily
    /// allows no requests has always reached it.
    func threshold(of limit: Int) -> Int {
        guard limit > 0 else { return 0 }
        let (product, overflows) = limit.multipliedReportingOverflow(by: permille)
        return overflows ? limit : max(1, (product + 999) / 1000)
    }
}
