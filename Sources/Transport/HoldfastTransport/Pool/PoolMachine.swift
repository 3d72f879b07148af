import OrderedCollections

/// Who gets which connection to one host and port, as a value.
///
/// Idle connections are a stack: the one used last is used next, so that those that are not needed grow old and go. Connections that
/// carry several requests at a time (HTTP/2) are ``SharedConnections``; how many are dialled depends on what the server was found to
/// speak.
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
        /// It goes on with the other requests that it carries.
        case keep
        /// It is to be closed.
        case discard
    }

    /// What the server is known to speak. It is remembered when the connections are gone.
    enum Speaks: Hashable, Sendable {
        /// Not known yet: one dial at a time finds out, for all that wait.
        case unknown
        /// One request at a time for each connection: each that waits gets a dial.
        case single
        /// So many requests at a time for each connection: a dial for each so many.
        case several(Int)
    }

    private let limit: Int
    private let queue: Int
    /// Idle connections, the one used last at the end.
    private var idle: [ConnectionID] = []
    private var busy: Set<ConnectionID> = []
    private var shared = SharedConnections()
    private(set) var speaks: Speaks
    /// How many requests at a time the server has last said that a connection may carry. Remembered, too.
    private var allowed: Int?
    /// Dials under way, each with the request that it was started for.
    private var dials: OrderedDictionary<DialID, RequestID> = [:]
    /// Those of them that wait for the network to come back, or for a permit.
    private var postponed: Set<DialID> = []
    /// Requests without a connection, the oldest first.
    private var waiting: OrderedSet<RequestID> = []
    private var lastDial: UInt64 = 0
    private(set) var isShutDown = false

    /// `limit` is the most connections at a time, dials included; at least one. `queue` is the most requests that wait.
    init(limit: Int, queue: Int = .max, speaks: Speaks = .single) {
        self.limit = max(1, limit)
        self.queue = max(1, queue)
        self.speaks = speaks
    }

    /// Connections and dials.
    var count: Int { idle.count + busy.count + shared.count + dials.count }

    /// Connections that wait for a request.
    var idleCount: Int { idle.count + shared.idleCount }

    /// Whether a dial is making progress, rather than waiting.
    var isDialling: Bool { dials.count > postponed.count }

    /// Whether a dial is making progress whose end, be it good or bad, is that of the request's wait: one that was started for it, or
    /// one that it shares with those before it.
    func isDialling(for request: RequestID) -> Bool {
        guard isDialling else { return false }
        if dials.contains(where: { $0.value == request && !postponed.contains($0.key) }) { return true }
        guard speaks != .single, let place = waiting.firstIndex(of: request) else { return false }
        return place / max(1, share) < dials.count - postponed.count
    }

    /// Whether a request waits.
    func isWaiting(_ request: RequestID) -> Bool { waiting.contains(request) }

    /// The request that a dial was started for.
    func requester(of dial: DialID) -> RequestID? { dials[dial] }

    /// A request wants a connection; a `fresh` one if its last one turned out to be stale, or refused it. Where none is on its way, it
    /// does with a place on one that there is.
    mutating func acquire(_ request: RequestID, fresh: Bool = false) -> Acquired {
        guard !isShutDown else { return .refuse }
        if !fresh, let connection = idle.popLast() {
            busy.insert(connection)
            return .use(connection)
        }
        if !fresh, let connection = shared.take() { return .use(connection) }
        // One that was sent on a stale connection has waited already.
        guard fresh || waiting.count < queue else { return .full }
        waiting.append(request)
        var closing: ConnectionID?
        if count >= limit, needsDial {
            // The one that has been idle longest makes room.
            closing = evictIdle()
        }
        let dial = startDial(for: request)
        if !isDialling, let connection = shared.take() {
            waiting.remove(request)
            return .use(connection)
        }
        return .wait(dial: dial, closing: closing)
    }

    /// A dial has brought a connection, which carries so many `streams` at a time, or fewer if the server has said so on another;
    /// `nil`: one request. There may be more to do: ``fill(_:)`` and ``dialsDue()``.
    mutating func dialSucceeded(_ dial: DialID, _ connection: ConnectionID, streams: Int? = nil) -> Freed {
        let requester = dials.removeValue(forKey: dial)
        postponed.remove(dial)
        // The server says how many only when the first requests have gone out, and refuses those beyond: what it said elsewhere counts.
        let streams = streams.map { min($0, allowed ?? $0) }
        speaks = streams.map { .several(allowed ?? max(1, $0)) } ?? .single
        guard let requester, !isShutDown else { return .discard }
        // It was dialled for this request, which may have asked for a fresh connection.
        let next = waiting.contains(requester) ? requester : waiting.first
        guard let streams else { return settle(connection, next: next) }
        shared.add(connection, limit: streams)
        guard let next, shared.take(on: connection) else { return .park }
        waiting.remove(next)
        return .serve(next)
    }

    /// The requests that a connection with places left has to carry from now on.
    mutating func fill(_ connection: ConnectionID) -> [RequestID] {
        var requests: [RequestID] = []
        while let next = waiting.first, shared.take(on: connection) {
            waiting.removeFirst()
            requests.append(next)
        }
        return requests
    }

    /// No connection is on its way for those that wait: places on others for them, where there are some.
    mutating func places() -> [(RequestID, ConnectionID)] {
        var places: [(RequestID, ConnectionID)] = []
        while !isDialling, let next = waiting.first, let connection = shared.take() {
            waiting.removeFirst()
            places.append((next, connection))
        }
        return places
    }

    /// The server has said how many requests a connection may carry. ``fill(_:)`` it then.
    mutating func limited(_ connection: ConnectionID, streams: Int) {
        guard shared.contains(connection) else { return }
        shared.setLimit(streams, of: connection)
        // One that takes none for a while may take some on another connection.
        let streams = max(1, streams)
        shared.lowerAssumed(to: streams)
        speaks = .several(streams)
        allowed = streams
    }

    /// A connection takes no more requests; those that it carries go on. Returns the dials to start for those that wait.
    mutating func retired(_ connection: ConnectionID) -> [DialID] {
        shared.remove(connection) ? startDials() : []
    }

    /// The dials to start after what was learned about the server.
    mutating func dialsDue() -> [DialID] { startDials() }

    /// A dial has failed.
    ///
    /// - Parameters:
    ///   - failsAll: Whether every request that waits would fare the same: the server was refused.
    ///   - failsSharers: Whether those that waited for the same dial would fare the same: the server was not reached.
    /// - Returns: The requests to fail, and the dials to start for those that remain.
    mutating func dialFailed(
        _ dial: DialID, failsAll: Bool, failsSharers: Bool = false
    ) -> (fail: [RequestID], start: [DialID]) {
        let requester = dials.removeValue(forKey: dial)
        postponed.remove(dial)
        if failsAll {
            defer { waiting.removeAll() }
            return (Array(waiting), [])
        }
        var failed = requester.flatMap { waiting.remove($0) }.map { [$0] } ?? []
        if failsSharers, shared.count == 0, !isDialling {
            let sharers = waiting.prefix(max(0, share - failed.count))
            failed += sharers
            waiting.removeFirst(sharers.count)
        }
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
        // Others may have been started meanwhile that do for all that wait.
        if speaks != .single, dials.count - postponed.count - 1 >= dialsWanted {
            dials[dial] = nil
            return false
        }
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
        idle.isEmpty ? shared.removeIdle() : idle.removeFirst()
    }

    /// A connection has finished an exchange and can be used again.
    mutating func released(_ connection: ConnectionID) -> Freed {
        if shared.contains(connection) { return left(connection) }
        guard busy.remove(connection) != nil, !isShutDown else { return .discard }
        return settle(connection, next: waiting.first)
    }

    /// A connection is not used any more. Returns the dials to start for those that wait.
    mutating func closed(_ connection: ConnectionID) -> [DialID] {
        busy.remove(connection)
        idle.removeAll { $0 == connection }
        shared.remove(connection)
        return startDials()
    }

    /// A connection has been idle for as long as it may. Returns whether to close it: it may have been lent meanwhile.
    mutating func expire(_ connection: ConnectionID) -> Bool {
        if shared.active(connection) == 0 { return shared.remove(connection) }
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
            for connection in shared.idle { shared.remove(connection) }
            idle = []
            waiting.removeAll()
        }
        return (idle + shared.idle, busy.sorted(), Array(waiting))
    }

    /// A request has left a connection that may carry several.
    private mutating func left(_ connection: ConnectionID) -> Freed {
        shared.left(connection)
        if isShutDown { return shared.active(connection) == 0 ? .discard : .keep }
        if let next = waiting.first, shared.take(on: connection) {
            waiting.removeFirst()
            return .serve(next)
        }
        return shared.active(connection) == 0 ? .park : .keep
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

    /// How many dials should be under way for those that wait.
    private var dialsWanted: Int {
        switch speaks {
        case .unknown: min(1, waiting.count)
        case .single: waiting.count
        case .several(let streams): (waiting.count + streams - 1) / streams
        }
    }

    /// How many requests wait for the same dial.
    private var share: Int {
        switch speaks {
        // Each of so many would have had a dial of its own.
        case .unknown: limit
        case .single: 1
        case .several(let streams): streams
        }
    }

    /// Whether a request that has joined the queue needs another dial.
    private var needsDial: Bool { speaks == .single || dials.count - postponed.count < dialsWanted }

    private mutating func startDial(for request: RequestID) -> DialID? {
        guard count < limit, needsDial else { return nil }
        lastDial += 1
        let dial = DialID(number: lastDial)
        dials[dial] = request
        return dial
    }

    /// Dials for the requests that wait and have none under way, as far as the limit allows.
    private mutating func startDials() -> [DialID] {
        guard !isShutDown, dials.count < waiting.count, needsDial else { return [] }
        let served = Set(dials.values)
        var started: [DialID] = []
        for request in waiting where !served.contains(request) {
            guard dials.count < waiting.count, let dial = startDial(for: request) else { break }
            started.append(dial)
        }
        return started
    }
}
