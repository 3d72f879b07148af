import NIOCore
import OrderedCollections

/// Assigns the connections to one host and port to requests.
///
/// Idle connections form a stack: the last used one is used next, so that unneeded ones reach their idle timeout.
/// Connections that carry several requests at a time (HTTP/2) are in ``SharedConnections``. The number of dials depends
/// on the protocol that the server was found to support.
///
/// The machine uses only numbers; ``PoolState`` maps them to connections and requests. Each event returns all actions
/// that it requires.
struct PoolMachine: Sendable {
    /// The result of a request for a connection.
    enum Acquired: Hashable, Sendable {
        /// The connection to use.
        case use(TransportConnectionID)
        /// The request was queued. The driver may have to start a dial, close an idle connection to make room for it,
        /// and set the timer.
        case wait(dial: DialID?, closing: TransportConnectionID?, timer: NIODeadline? = nil)
        /// The request fails, because too many are waiting.
        case full
        /// The request moves to the pool that replaced this one.
        case elsewhere
        /// The request fails, because the pool is shut down.
        case refuse
    }

    /// The next use of a connection that is free.
    enum Freed: Hashable, Sendable {
        /// Serve the request that has waited longest.
        case serve(RequestID)
        /// Wait for the next request.
        case park
        /// Continue with the other requests on the connection.
        case keep
        /// Close the connection.
        case discard
    }

    /// The known capability of the server. It is kept after all connections are closed.
    enum Speaks: Hashable, Sendable {
        /// Unknown: a single dial determines it for all waiting requests.
        case unknown
        /// One request at a time per connection: each waiting request needs a dial.
        case single
        /// This number of concurrent requests per connection: one dial for each such number of waiting requests.
        case several(Int)
    }

    /// The reason why a dial failed, which decides about other waiting requests.
    enum DialFailure: Hashable, Sendable {
        /// The server was refused, so every waiting request fails.
        case refused
        /// The server was not reached, so all requests that waited for the same dial fail.
        case unreachable
        /// There is no network. The dial is retried if its request waits for connectivity.
        case noConnectivity
    }

    /// The action after a failed dial.
    enum DialEnd: Hashable, Sendable {
        /// The dial has ended.
        case over(PoolWork)
        /// The dial is retried after this time; see ``PoolMachine/resumed(_:)``.
        case again(after: TimeAmount, PoolWork)
    }

    /// The next step of opening connections that no request waits for.
    enum Prewarming: Hashable, Sendable {
        /// Start these dials.
        case start([DialID])
        /// Wait for the end of these dials, which are in progress.
        case wait([DialID])
        /// Enough connections can accept a request, or the limit is reached.
        case settled
        /// The client removed the pool.
        case elsewhere
        /// The pool is shut down.
        case refuse
    }

    private enum Life {
        case open
        /// The client removed the pool.
        case retired
        case shutDown
    }

    private let limit: Int
    private let queue: Int
    private let spread: HTTP2Spread?
    private var life = Life.open
    /// The number of open channels, including those that no longer serve requests.
    private(set) var openChannels = 0
    /// The idle connections; the last used one is at the end.
    private var idle: [TransportConnectionID] = []
    private var busy: Set<TransportConnectionID> = []
    private var shared: SharedConnections
    private(set) var speaks: Speaks
    /// The server's latest limit of concurrent requests per connection. It is kept too.
    private var allowed: Int?
    /// The dials in progress, each with the request that it was started for.
    private var dials: OrderedDictionary<DialID, RequestID> = [:]
    /// The dials that wait for the network or for a permit.
    private var postponed: Set<DialID> = []
    /// The dials in progress that were started for no request.
    private var spares: Set<DialID> = []
    /// Whether the load may cause another connection. False after such a dial failed, until the connections change, so
    /// that the failure is not repeated with every request.
    private var mayGrow = true
    /// The requests without a connection, oldest first.
    private var waiting = WaitingRequests()
    private var lastDial: UInt64 = 0

    /// Creates a machine. `limit` is the maximum number of connections and dials, at least one. `queue` is the maximum
    /// number of waiting requests. `spread` distributes requests over shared connections by load.
    init(limit: Int, queue: Int = .max, speaks: Speaks = .single, spread: HTTP2Spread? = nil) {
        self.limit = max(1, limit)
        self.queue = max(1, queue)
        self.speaks = speaks
        self.spread = spread
        self.shared = SharedConnections(spread: spread)
    }

    /// The number of connections and dials.
    var count: Int { idle.count + busy.count + shared.count + dials.count + spares.count }

    /// The maximum number of connections and dials to a server with the known capability.
    private var currentLimit: Int {
        guard let spread, case .several = speaks else { return limit }
        return min(limit, spread.connections)
    }

    /// The number of dials that do not wait.
    private var activeDials: Int { dials.count - postponed.count + spares.count }

    /// The number of idle connections.
    var idleCount: Int { idle.count + shared.idleCount }

    /// The number of requests that wait for a connection.
    var waitingCount: Int { waiting.count }

    /// Whether no channel is open and no dial is in progress.
    var isEmpty: Bool { openChannels == 0 && dials.isEmpty && spares.isEmpty }

    /// The number of connections that can accept a request at once.
    var availableCount: Int { idle.count + shared.freeCount }

    var isShutDown: Bool { life == .shutDown }

    /// Whether any dial is active and not waiting.
    var isDialling: Bool { activeDials > 0 }

    /// Returns whether an active dial will end the request's wait, whatever its outcome: a dial for this request, or
    /// one that it shares with earlier requests.
    func isDialling(for request: RequestID) -> Bool {
        guard isDialling else { return false }
        if dials.contains(where: { $0.value == request && !postponed.contains($0.key) }) { return true }
        guard speaks != .single, let place = waiting.index(of: request) else { return false }
        return place / max(1, share) < activeDials
    }

    /// Returns whether no active dial will serve the request that has waited longest.
    private func lacksDial(_ first: RequestID) -> Bool {
        spares.isEmpty
            && !dials.contains { !postponed.contains($0.key) && ($0.value == first || !waiting.contains($0.value)) }
    }

    /// Returns whether a request waits.
    func isWaiting(_ request: RequestID) -> Bool { waiting.contains(request) }

    /// Assigns a connection to a request, or queues it.
    ///
    /// If no dial is in progress, the request shares an existing connection. `patience` and `now` are evaluated only if
    /// the request has to wait.
    ///
    /// - Parameter fresh: Whether the request needs a new connection, because its last one was closed or refused it.
    mutating func acquire(
        _ request: RequestID, _ patience: @autoclosure () -> Patience, fresh: Bool = false,
        at now: @autoclosure () -> NIODeadline
    ) -> Acquired {
        switch life {
        case .open: break
        case .retired: return .elsewhere
        case .shutDown: return .refuse
        }
        if !fresh, let connection = idle.popLast() {
            busy.insert(connection)
            return .use(connection)
        }
        if !fresh, let connection = shared.take() { return .use(connection) }
        // A request that lost its connection is not subject to the limit, because it has already waited.
        guard fresh || waiting.count < queue else { return .full }
        waiting.append(request, needsNew: fresh)
        var closing: TransportConnectionID?
        if count >= currentLimit, needsDial {
            // The connection that has been idle longest makes room.
            closing = evictIdle()
        }
        let dial = startDial(for: request)
        if !isDialling, let connection = shared.take() {
            waiting.remove(request)
            return .use(connection)
        }
        return .wait(dial: dial, closing: closing, timer: waiting.begin(request, patience(), at: now()))
    }

    /// Processes a successful dial.
    ///
    /// - Parameters:
    /// - streams: The number of concurrent requests on the connection, unless the server announced a lower limit on
    ///   another connection; `nil` for one request at a time.
    /// - yields: Whether an unneeded connection must make room for another host.
    mutating func dialSucceeded(
        _ dial: DialID, _ connection: TransportConnectionID, streams: Int? = nil,
        yields: @autoclosure () -> Bool = false
    ) -> PoolWork {
        openChannels += 1
        mayGrow = true
        let requester = dials.removeValue(forKey: dial)
        let isSpare = spares.remove(dial) != nil
        postponed.remove(dial)
        // The server announces its limit only after the first requests and refuses those beyond it, so the limit from
        // other connections applies.
        let streams = streams.map { min($0, allowed ?? $0) }
        speaks = streams.map { .several(allowed ?? max(1, $0)) } ?? .single
        guard requester != nil || isSpare, !isShutDown else { return PoolWork(close: [connection]) }
        // The dial was started for this request, which may need a new connection.
        let next = requester.flatMap { waiting.contains($0) ? $0 : nil } ?? waiting.first
        var work = PoolWork()
        switch arrive(connection, streams, next: next, yields: yields()) {
        case .serve(let request): work.serve = [PoolWork.Place(request: request, connection: connection)]
        case .park: work.park = connection
        case .keep: break
        case .discard: work.close = [connection]
        }
        work.serve += fill(connection)
        work.start = startDials()
        work.serve += places()
        return work
    }

    private mutating func arrive(
        _ connection: TransportConnectionID, _ streams: Int?, next: RequestID?, yields: @autoclosure () -> Bool
    ) -> Freed {
        guard let streams else { return settle(connection, next: next, yields: yields()) }
        shared.add(connection, limit: streams)
        guard let next, shared.take(on: connection) else { return parkOrYield(connection, yields: yields()) }
        waiting.remove(next)
        return .serve(next)
    }

    /// Assigns waiting requests to the free places of a connection.
    private mutating func fill(_ connection: TransportConnectionID) -> [PoolWork.Place] {
        var places: [PoolWork.Place] = []
        while let next = waiting.first, shared.take(on: connection) {
            waiting.remove(next)
            places.append(PoolWork.Place(request: next, connection: connection))
        }
        return places
    }

    /// Assigns waiting requests to existing connections when no dial is in progress.
    private mutating func places() -> [PoolWork.Place] {
        var places: [PoolWork.Place] = []
        while !isDialling, let next = waiting.first, let connection = shared.take() {
            waiting.remove(next)
            places.append(PoolWork.Place(request: next, connection: connection))
        }
        return places
    }

    /// Processes the server's limit of concurrent requests on a connection.
    mutating func limited(_ connection: TransportConnectionID, streams: Int) -> PoolWork {
        if shared.contains(connection) {
            shared.setLimit(streams, of: connection)
            // A limit of zero is temporary and does not apply to other connections.
            let streams = max(1, streams)
            shared.lowerAssumed(to: streams)
            speaks = .several(streams)
            allowed = streams
        }
        return PoolWork(serve: fill(connection), start: startDials())
    }

    /// Stops assigning requests to a connection. Its current requests continue.
    mutating func retired(_ connection: TransportConnectionID) -> PoolWork {
        mayGrow = true
        return shared.remove(connection) ? PoolWork(start: startDials()) : PoolWork()
    }

    /// Processes a failed dial.
    mutating func dialFailed(_ dial: DialID, _ failure: DialFailure) -> DialEnd {
        if spares.contains(dial) {
            // If the server was refused, another connection would lead to it again. Otherwise, requests that waited for
            // the dial get dials of their own, whose outcome decides about them.
            let fail = failure == .refused ? waiting.removeAll() : []
            var work = abandoned(dial)
            work.fail = fail
            return .over(work)
        }
        if failure == .noConnectivity, !isShutDown, let requester = dials[dial],
            let delay = waiting.postpone(requester)
        {
            postponed.insert(dial)
            // Other requests that waited for the same dial may not wait for connectivity.
            return .again(after: delay, PoolWork(start: startDials()))
        }
        let requester = dials.removeValue(forKey: dial)
        postponed.remove(dial)
        if failure == .refused { return .over(PoolWork(fail: waiting.removeAll())) }
        var failed = requester.flatMap { waiting.remove($0) ? [$0] : nil } ?? []
        if failure == .unreachable, shared.count == 0, !isDialling {
            let sharers = waiting.prefix(max(0, share - failed.count))
            for request in sharers { waiting.remove(request) }
            failed += sharers
        }
        return .over(PoolWork(fail: failed, start: startDials()))
    }

    /// Ends a dial that was started for no request, because it failed or has no permit.
    mutating func abandoned(_ dial: DialID) -> PoolWork {
        spares.remove(dial)
        mayGrow = false
        return PoolWork(start: startDials())
    }

    /// Starts a dial for no request if the load requires another connection. Call it after a request was assigned to a
    /// connection.
    mutating func grow() -> DialID? {
        guard spread != nil, mayGrow, life == .open, !isDialling, shared.isLoaded, count < currentLimit else {
            return nil
        }
        return startSpare()
    }

    /// Opens connections until `goal` of them can accept a request, but at most `number`. Call it again after each
    /// step.
    ///
    /// While the server's version is unknown, one dial determines it. A server with shared connections needs only one,
    /// unless they are distributed by load.
    mutating func prewarm(_ goal: Int, atMost number: Int) -> Prewarming {
        switch life {
        case .open: break
        case .retired: return .elsewhere
        case .shutDown: return .refuse
        }
        var useful = goal
        if case .several = speaks { useful = min(goal, spread?.connections ?? 1) }
        let missing = min(useful - availableCount, number)
        guard missing > 0 else { return .settled }
        if speaks == .unknown, isDialling {
            return .wait((Array(dials.keys.filter { !postponed.contains($0) }) + spares).sorted())
        }
        let new = min(missing - spares.count, currentLimit - count, speaks == .unknown ? 1 : missing)
        guard new > 0 else { return spares.isEmpty ? .settled : .wait(spares.sorted()) }
        return .start((0..<new).map { _ in startSpare() })
    }

    private mutating func startSpare() -> DialID {
        lastDial += 1
        let dial = DialID(number: lastDial)
        spares.insert(dial)
        return dial
    }

    /// Records that a dial waits for a permit. Assigns waiting requests to existing connections.
    mutating func postponed(_ dial: DialID) -> PoolWork {
        if dials[dial] != nil { postponed.insert(dial) }
        return PoolWork(serve: places())
    }

    /// Resumes a dial that waited. Returns its request, or another one without a dial. Returns `nil` if no request
    /// needs the dial, which then ends.
    mutating func resumed(_ dial: DialID) -> RequestID? {
        postponed.remove(dial)
        guard let requester = dials[dial] else { return nil }
        // Other dials that were started meanwhile may suffice for all waiting requests.
        if speaks != .single, activeDials - 1 >= dialsWanted {
            dials[dial] = nil
            return nil
        }
        if !isShutDown, waiting.contains(requester) { return requester }
        let served = Set(dials.values)
        guard !isShutDown, let next = waiting.requests.first(where: { !served.contains($0) }) else {
            dials[dial] = nil
            return nil
        }
        dials[dial] = next
        return next
    }

    /// Removes the connection that has been idle longest, to make room for another host. The caller must close it.
    mutating func evictIdle() -> TransportConnectionID? {
        idle.isEmpty ? shared.removeIdle() : idle.removeFirst()
    }

    /// Processes a connection that completed an exchange and can be reused. `yields` is whether an unneeded connection
    /// must make room for another host.
    ///
    /// A request that needs a new connection is not served, because a server that closes its connections unannounced
    /// could make it fail on one after another. If it is next and no dial will serve it, the connection makes room for
    /// a dial.
    mutating func released(_ connection: TransportConnectionID, yields: @autoclosure () -> Bool = false) -> Freed {
        if shared.contains(connection) { return left(connection, yields: yields()) }
        guard busy.remove(connection) != nil, !isShutDown else { return .discard }
        let next = waiting.firstToReuse
        if let first = waiting.first, first != next, lacksDial(first) || (next == nil && dials.count < waiting.count) {
            return .discard
        }
        return settle(connection, next: next, yields: yields())
    }

    /// Removes a connection that is no longer used.
    mutating func closed(_ connection: TransportConnectionID) -> PoolWork {
        busy.remove(connection)
        idle.removeAll { $0 == connection }
        shared.remove(connection)
        mayGrow = true
        return PoolWork(start: startDials())
    }

    /// Records a closed channel.
    mutating func channelClosed() {
        openChannels -= 1
    }

    /// Processes the end of a connection's idle time. Returns whether to close it, because it may be in use again.
    mutating func expire(_ connection: TransportConnectionID) -> Bool {
        if shared.active(connection) == 0 { return shared.remove(connection) }
        guard let index = idle.firstIndex(of: connection) else { return false }
        idle.remove(at: index)
        return true
    }

    /// Removes a waiting request. A dial for it continues, because the next request can use its connection.
    mutating func withdraw(_ request: RequestID) {
        waiting.remove(request)
    }

    /// Processes the timer that was set for `due`.
    mutating func timerFired(at due: NIODeadline, now: NIODeadline) -> PoolTimeouts {
        guard waiting.timer == due else { return PoolTimeouts() }
        var timeouts = PoolTimeouts()
        for request in waiting.due(at: now) {
            switch waiting.look(at: request, isDialling: isDialling(for: request), now: now) {
            case .waits: break
            case .totalTimeIsUp:
                waiting.remove(request)
                timeouts.total.append(request)
            case .hasWaitedTooLong:
                waiting.remove(request)
                timeouts.waiting.append(request)
            }
        }
        timeouts.timer = waiting.rearm()
        return timeouts
    }

    /// Retires the pool if it is empty. Returns whether it is retired, so that the client can remove it.
    mutating func retire() -> Bool {
        if isEmpty, waiting.first == nil, !isShutDown { life = .retired }
        return life == .retired
    }

    /// Shuts the pool down: no connection is assigned any longer.
    mutating func shutDown() -> PoolWork {
        life = .shutDown
        defer {
            for connection in shared.idle { shared.remove(connection) }
            idle = []
        }
        return PoolWork(fail: waiting.removeAll(), close: idle + shared.idle)
    }

    /// Processes a completed request on a shared connection.
    private mutating func left(_ connection: TransportConnectionID, yields: @autoclosure () -> Bool) -> Freed {
        shared.left(connection)
        if isShutDown { return shared.active(connection) == 0 ? .discard : .keep }
        if let next = waiting.first, shared.take(on: connection) {
            waiting.remove(next)
            return .serve(next)
        }
        return shared.active(connection) == 0 ? parkOrYield(connection, yields: yields()) : .keep
    }

    private mutating func settle(
        _ connection: TransportConnectionID, next: RequestID?, yields: @autoclosure () -> Bool
    ) -> Freed {
        if let next {
            waiting.remove(next)
            busy.insert(connection)
            return .serve(next)
        }
        idle.append(connection)
        return parkOrYield(connection, yields: yields())
    }

    /// Parks a connection without requests, or discards it to make room for another host.
    private mutating func parkOrYield(_ connection: TransportConnectionID, yields: @autoclosure () -> Bool) -> Freed {
        yields() && expire(connection) ? .discard : .park
    }

    /// The number of dials that the waiting requests need.
    private var dialsWanted: Int {
        switch speaks {
        case .unknown: min(1, waiting.count)
        case .single: waiting.count
        case .several(let streams): (waiting.count + streams - 1) / streams
        }
    }

    /// The number of requests that wait for the same dial.
    private var share: Int {
        switch speaks {
        // Without shared connections, each of these requests would have its own dial.
        case .unknown: limit
        case .single: 1
        case .several(let streams): streams
        }
    }

    /// Whether a newly queued request needs another dial.
    private var needsDial: Bool { speaks == .single || activeDials < dialsWanted }

    private mutating func startDial(for request: RequestID) -> DialID? {
        guard count < currentLimit, needsDial else { return nil }
        lastDial += 1
        let dial = DialID(number: lastDial)
        dials[dial] = request
        return dial
    }

    /// Starts dials for waiting requests without one, up to the limit.
    private mutating func startDials() -> [PoolWork.Dial] {
        guard !isShutDown, dials.count < waiting.count, needsDial else { return [] }
        let served = Set(dials.values)
        var started: [PoolWork.Dial] = []
        for request in waiting.requests where !served.contains(request) {
            guard dials.count < waiting.count, let dial = startDial(for: request) else { break }
            started.append(PoolWork.Dial(id: dial, request: request))
        }
        return started
    }
}

extension PoolMachine.Speaks {
    /// Returns the known capability of a server before the first dial.
    init(_ target: DialTarget, _ versions: HTTPVersions) {
        if versions.assumesHTTP2 {
            self = .several(HTTP2Limits.assumedStreams)
        } else {
            self = versions == .http1Only || !target.isSecure ? .single : .unknown
        }
    }
}

extension PoolMachine.DialFailure {
    /// Returns the consequence of an error for the other waiting requests.
    init(_ error: TransportError) {
        self = error.code == .trustRefused ? .refused : error.code == .noConnectivity ? .noConnectivity : .unreachable
    }
}
