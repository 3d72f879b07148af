import OrderedCollections

/// Who gets which connection to one host and port, as a value.
///
/// Idle connections are a stack: the one used last is used next, so that those that are not needed grow old and go.
/// The machine knows numbers only; its driver has the tables from numbers to connections and requests.
struct PoolMachine: Sendable {
    /// What a request gets.
    enum Acquired: Hashable, Sendable {
        /// This connection.
        case use(ConnectionID)
        /// A place in the queue; with it, perhaps, a dial to start and an idle connection to close to make room for it.
        case wait(dial: DialID?, closing: ConnectionID?)
        /// Nothing: too many wait already.
        case full
        /// Nothing: the pool is shut down.
        case refuse
    }

    /// What becomes of a connection that is free.
    enum Freed: Hashable, Sendable {
        /// It serves the request that has waited longest.
        case serve(RequestID)
        /// It waits for the next request.
        case park
        /// It is to be closed.
        case discard
    }

    private let limit: Int
    private let queue: Int
    /// Idle connections, the one used last at the end.
    private var idle: [ConnectionID] = []
    private var busy: Set<ConnectionID> = []
    /// Dials under way, each with the request that it was started for.
    private var dials: OrderedDictionary<DialID, RequestID> = [:]
    /// Those of them that wait for the network to come back, or for a permit.
    private var postponed: Set<DialID> = []
    /// Requests without a connection, the oldest first.
    private var waiting: OrderedSet<RequestID> = []
    private var lastDial: UInt64 = 0
    private(set) var isShutDown = false

    /// `limit` is the most connections at a time, dials included; at least one. `queue` is the most requests that wait.
    init(limit: Int, queue: Int = .max) {
        self.limit = max(1, limit)
        self.queue = max(1, queue)
    }

    /// Connections and dials.
    var count: Int { idle.count + busy.count + dials.count }

    /// Connections that wait for a request.
    var idleCount: Int { idle.count }

    /// Whether a dial is making progress, rather than waiting.
    var isDialling: Bool { dials.count > postponed.count }

    /// Whether a request waits.
    func isWaiting(_ request: RequestID) -> Bool { waiting.contains(request) }

    /// The request that a dial was started for.
    func requester(of dial: DialID) -> RequestID? { dials[dial] }

    /// A request wants a connection; a `fresh` one if its last one turned out to be stale.
    mutating func acquire(_ request: RequestID, fresh: Bool = false) -> Acquired {
        guard !isShutDown else { return .refuse }
        if !fresh, let connection = idle.popLast() {
            busy.insert(connection)
            return .use(connection)
        }
        // One that was sent on a stale connection has waited already.
        guard fresh || waiting.count < queue else { return .full }
        waiting.append(request)
        var closing: ConnectionID?
        if count >= limit, !idle.isEmpty {
            // The one that has been idle longest makes room.
            closing = idle.removeFirst()
        }
        return .wait(dial: startDial(for: request), closing: closing)
    }

    /// A dial has brought a connection.
    mutating func dialSucceeded(_ dial: DialID, _ connection: ConnectionID) -> Freed {
        guard let requester = dials.removeValue(forKey: dial), !isShutDown else { return .discard }
        postponed.remove(dial)
        // It was dialled for this request, which may have asked for a fresh connection.
        let next = waiting.remove(requester) ?? waiting.first
        return settle(connection, next: next)
    }

    /// A dial has failed.
    ///
    /// - Parameter failsAll: Whether every request that waits would fare the same: the server was refused.
    /// - Returns: The requests to fail, and the dials to start for those that remain.
    mutating func dialFailed(_ dial: DialID, failsAll: Bool) -> (fail: [RequestID], start: [DialID]) {
        let requester = dials.removeValue(forKey: dial)
        postponed.remove(dial)
        if failsAll {
            defer { waiting.removeAll() }
            return (Array(waiting), [])
        }
        let failed = requester.flatMap { waiting.remove($0) }.map { [$0] } ?? []
        return (failed, startDials())
    }

    /// A dial waits for the network to come back, or for a permit.
    mutating func postponed(_ dial: DialID) {
        if dials[dial] != nil { postponed.insert(dial) }
    }

    /// A dial that waited is tried again, for the request that it was started for, or for another that has none. Returns
    /// false if nobody needs it any more; it is over then.
    mutating func resumed(_ dial: DialID) -> Bool {
        postponed.remove(dial)
        guard let requester = dials[dial] else { return false }
        if !isShutDown, waiting.contains(requester) { return true }
        let served = Set(dials.values)
        guard !isShutDown, let next = waiting.first(where: { !served.contains($0) }) else {
            dials[dial] = nil
            return false
        }
        dials[dial] = next
        return true
    }

    /// Gives up the connection that has been idle longest, so that another host can have one. It is to be closed.
    mutating func evictIdle() -> ConnectionID? {
        idle.isEmpty ? nil : idle.removeFirst()
    }

    /// A connection has finished an exchange and can be used again.
    mutating func released(_ connection: ConnectionID) -> Freed {
        guard busy.remove(connection) != nil, !isShutDown else { return .discard }
        return settle(connection, next: waiting.first)
    }

    /// A connection is not used any more. Returns the dials to start for those that wait.
    mutating func closed(_ connection: ConnectionID) -> [DialID] {
        busy.remove(connection)
        idle.removeAll { $0 == connection }
        return startDials()
    }

    /// A connection has been idle for as long as it may. Returns whether to close it: it may have been lent meanwhile.
    mutating func expire(_ connection: ConnectionID) -> Bool {
        guard let index = idle.firstIndex(of: connection) else { return false }
        idle.remove(at: index)
        return true
    }

    /// A request no longer waits. A dial that was started for it goes on: the next request will be glad of it.
    mutating func withdraw(_ request: RequestID) {
        waiting.remove(request)
    }

    /// Nothing is lent any more. Returns the connections to close and the requests to fail.
    mutating func shutDown() -> (idle: [ConnectionID], busy: [ConnectionID], fail: [RequestID]) {
        isShutDown = true
        defer {
            idle = []
            waiting.removeAll()
        }
        return (idle, busy.sorted(), Array(waiting))
    }

    private mutating func settle(_ connection: ConnectionID, next: RequestID?) -> Freed {
        if let next {
            waiting.remove(next)
            busy.insert(connection)
            return .serve(next)
        }
        idle.append(connection)
        return .park
    }

    private mutating func startDial(for request: RequestID) -> DialID? {
        guard count < limit else { return nil }
        lastDial += 1
        let dial = DialID(number: lastDial)
        dials[dial] = request
        return dial
    }

    /// Dials for the requests that wait and have none under way, as far as the limit allows.
    private mutating func startDials() -> [DialID] {
        guard !isShutDown, dials.count < waiting.count else { return [] }
        let served = Set(dials.values)
        var started: [DialID] = []
        for request in waiting where !served.contains(request) {
            guard dials.count < waiting.count, let dial = startDial(for: request) else { break }
            started.append(dial)
        }
        return started
    }
}
