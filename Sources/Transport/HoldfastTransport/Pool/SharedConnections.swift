import OrderedCollections

/// The connections of a pool that carry several requests at a time.
struct SharedConnections: Sendable {
    private struct Load {
        var active = 0
        var limit: Int
        /// Whether the server has not yet announced the limit on this connection.
        var isAssumed = true
    }

    /// Oldest first, so that unneeded connections stay idle and time out.
    private var loads: OrderedDictionary<TransportConnectionID, Load> = [:]
    private let spread: HTTP2Spread?

    /// Creates an empty set. `spread` distributes requests by load; without it, the oldest free connection is used.
    init(spread: HTTP2Spread? = nil) {
        self.spread = spread
    }

    var count: Int { loads.count }

    /// The number of connections with a free place.
    var freeCount: Int { loads.values.reduce(0) { $1.active < $1.limit ? $0 + 1 : $0 } }

    /// Whether there are connections, and all of them have reached the load at which another one is opened.
    var isLoaded: Bool {
        guard let spread, !loads.isEmpty else { return false }
        return loads.values.allSatisfy { $0.active >= spread.threshold(of: $0.limit) }
    }

    func contains(_ connection: TransportConnectionID) -> Bool { loads[connection] != nil }

    /// The connections without requests.
    var idle: [TransportConnectionID] { loads.filter { $0.value.active == 0 }.map(\.key) }

    /// The number of connections without requests.
    var idleCount: Int { loads.values.reduce(0) { $1.active == 0 ? $0 + 1 : $0 } }

    /// Returns the number of requests on a connection; `nil` if it is unknown.
    func active(_ connection: TransportConnectionID) -> Int? { loads[connection]?.active }

    /// Adds a connection that is assumed to carry up to `limit` concurrent requests.
    mutating func add(_ connection: TransportConnectionID, limit: Int) {
        loads[connection] = Load(limit: max(0, limit))
    }

    /// Removes a connection. Returns whether it was known.
    @discardableResult
    mutating func remove(_ connection: TransportConnectionID) -> Bool {
        loads.removeValue(forKey: connection) != nil
    }

    /// Takes a place on the oldest connection with a free one, or according to the distribution.
    mutating func take() -> TransportConnectionID? {
        let connection =
            if let spread { leastLoaded(spread) } else { loads.first(where: { $0.value.active < $0.value.limit })?.key }
        guard let connection else { return nil }
        loads[connection]?.active += 1
        return connection
    }

    /// Returns the connection with a free place and the lowest load, among as many of the oldest connections as the
    /// current requests need. Of several, returns the oldest.
    private func leastLoaded(_ spread: HTTP2Spread) -> TransportConnectionID? {
        let wanted = loads.values.reduce(1) { $0 + $1.active }
        var capacity = 0
        var best: (connection: TransportConnectionID, load: Load)?
        for (connection, load) in loads {
            if capacity >= wanted, best != nil { break }
            capacity += spread.threshold(of: load.limit)
            guard load.active < load.limit else { continue }
            // The comparison of two fractions, without a division.
            if let best, load.active * best.load.limit >= best.load.active * load.limit { continue }
            best = (connection, load)
        }
        return best?.connection
    }

    /// Takes a place on a connection, if one is free.
    mutating func take(on connection: TransportConnectionID) -> Bool {
        guard let load = loads[connection], load.active < load.limit else { return false }
        loads[connection]?.active += 1
        return true
    }

    /// Records a completed request on a connection.
    mutating func left(_ connection: TransportConnectionID) {
        guard let load = loads[connection], load.active > 0 else { return }
        loads[connection]?.active -= 1
    }

    /// Sets the limit of concurrent requests that the server announced on a connection.
    mutating func setLimit(_ limit: Int, of connection: TransportConnectionID) {
        loads[connection]?.limit = max(0, limit)
        loads[connection]?.isAssumed = false
    }

    /// Lowers the assumed limit of all connections without an announced limit.
    mutating func lowerAssumed(to limit: Int) {
        for connection in loads.keys {
            guard let load = loads[connection], load.isAssumed, load.limit > limit else { continue }
            loads[connection]?.limit = max(0, limit)
        }
    }

    /// Removes the oldest connection without requests.
    mutating func removeIdle() -> TransportConnectionID? {
        guard let connection = loads.first(where: { $0.value.active == 0 })?.key else { return nil }
        loads[connection] = nil
        return connection
    }
}
