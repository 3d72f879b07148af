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

    var count: Int { loads.count }

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

    /// Takes a place on the oldest connection with a free one.
    mutating func take() -> TransportConnectionID? {
        guard let connection = loads.first(where: { $0.value.active < $0.value.limit })?.key else { return nil }
        loads[connection]?.active += 1
        return connection
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
