import OrderedCollections

/// The connections of a pool that carry several requests at a time, as a value.
struct SharedConnections: Sendable {
    private struct Load {
        var active = 0
        var limit: Int
        /// Whether the server has not yet said on this connection what the limit is.
        var isAssumed = true
    }

    /// Oldest first: those that are not needed stay idle, grow old and go.
    private var loads: OrderedDictionary<TransportConnectionID, Load> = [:]

    var count: Int { loads.count }

    func contains(_ connection: TransportConnectionID) -> Bool { loads[connection] != nil }

    /// Those that carry nothing.
    var idle: [TransportConnectionID] { loads.filter { $0.value.active == 0 }.map(\.key) }

    /// How many carry nothing.
    var idleCount: Int { loads.values.reduce(0) { $1.active == 0 ? $0 + 1 : $0 } }

    /// How many requests a connection carries; `nil` if it is none of these.
    func active(_ connection: TransportConnectionID) -> Int? { loads[connection]?.active }

    /// Adds a connection that is taken to carry up to `limit` requests at a time.
    mutating func add(_ connection: TransportConnectionID, limit: Int) {
        loads[connection] = Load(limit: max(0, limit))
    }

    /// Forgets a connection. Returns whether it was known.
    @discardableResult
    mutating func remove(_ connection: TransportConnectionID) -> Bool {
        loads.removeValue(forKey: connection) != nil
    }

    /// Takes a place on the oldest connection that has one.
    mutating func take() -> TransportConnectionID? {
        guard let connection = loads.first(where: { $0.value.active < $0.value.limit })?.key else { return nil }
        loads[connection]?.active += 1
        return connection
    }

    /// Takes a place on this connection, if it has one.
    mutating func take(on connection: TransportConnectionID) -> Bool {
        guard let load = loads[connection], load.active < load.limit else { return false }
        loads[connection]?.active += 1
        return true
    }

    /// A request has left a connection.
    mutating func left(_ connection: TransportConnectionID) {
        guard let load = loads[connection], load.active > 0 else { return }
        loads[connection]?.active -= 1
    }

    /// The server has said how many requests a connection may carry.
    mutating func setLimit(_ limit: Int, of connection: TransportConnectionID) {
        loads[connection]?.limit = max(0, limit)
        loads[connection]?.isAssumed = false
    }

    /// Takes no connection on which the server has not said so to carry more than `limit` requests.
    mutating func lowerAssumed(to limit: Int) {
        for connection in loads.keys {
            guard let load = loads[connection], load.isAssumed, load.limit > limit else { continue }
            loads[connection]?.limit = max(0, limit)
        }
    }

    /// Takes out the connection that has been there longest of those that carry nothing.
    mutating func removeIdle() -> TransportConnectionID? {
        guard let connection = loads.first(where: { $0.value.active == 0 })?.key else { return nil }
        loads[connection] = nil
        return connection
    }
}
