import NIOCore
import OrderedCollections

/// Who gets which connection to one host and port, as a value.
///
/// Idle connections are a stack: the one used last is used next, so that those that are not needed grow old and go. Connections that
/// carry several requests at a time (HTTP/2) are ``SharedConnections``; how many are dialled depends on what the server was found to
/// speak.
/// The machine knows numbers only; ``PoolState`` has the tables from numbers to connections and requests. Each event returns all that
/// there is to do about it.
struct PoolMachine: Sendable {
    /// What a request gets.
    enum Acquired: Hashable, Sendable {
        /// This connection.
        case use(TransportConnectionID)
        /// A place in the queue; with it, perhaps, a dial to start, an idle connection to close to make room for it, and a time for
        /// which to arm the timer.
        case wait(dial: DialID?, closing: TransportConnectionID?, timer: NIODeadline? = nil)
        /// Nothing: too many wait already.
        case full
        /// Nothing: the pool was forgotten, and another has taken its place.
        case elsewhere
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

    /// Why a dial has failed, which decides who else would fare the same.
    enum DialFailure: Hashable, Sendable {
        /// The server was refused: every request that waits would be refused.
        case refused
        /// The server was not reached: those that waited for the same dial would not reach it either.
        case unreachable
        /// There is no network: the dial waits for it if its request does.
        case noConnectivity
    }

    /// What comes after a dial that has failed.
    enum DialEnd: Hashable, Sendable {
        /// The dial is over.
        case over(PoolWork)
        /// The dial is tried again after this time, see ``PoolMachine/resumed(_:)``.
        case again(after: TimeAmount, PoolWork)
    }

    private enum Life {
        case open
        /// The client has forgotten the pool.
        case retired
        case shutDown
    }

    private let limit: Int
    private let queue: Int
    private var life = Life.open
    /// Channels that are open, those included that serve no more.
    private(set) var openChannels = 0
    /// Idle connections, the one used last at the end.
    private var idle: [TransportConnectionID] = []
    private var busy: Set<TransportConnectionID> = []
    private var shared = SharedConnections()
    private(set) var speaks: Speaks
    /// How many requests at a time the server has last said that a connection may carry. Remembered, too.
    private var allowed: Int?
    /// Dials under way, each with the request that it was started for.
    private var dials: OrderedDictionary<DialID, RequestID> = [:]
    /// Those of them that wait for the network to come back, or for a permit.
    private var postponed: Set<DialID> = []
    /// Requests without a connection, the oldest first.
    private var waiting = WaitingRequests()
    private var lastDial: UInt64 = 0

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

    /// Requests that wait for a connection.
    var waitingCount: Int { waiting.count }

    /// Whether no channel is open and no dial under way.
    var isEmpty: Bool { openChannels == 0 && dials.isEmpty }

    private var isShutDown: Bool { life == .shutDown }

    /// Whether a dial is making progress, rather than waiting.
    var isDialling: Bool { dials.count > postponed.count }

    /// Whether a dial is making progress whose end, be it good or bad, is that of the request's wait: one that was started for it, or
    /// one that it shares with those before it.
    func isDialling(for request: RequestID) -> Bool {
        guard isDialling else { return false }
        if dials.contains(where: { $0.value == request && !postponed.contains($0.key) }) { return true }
        guard speaks != .single, let place = waiting.index(of: request) else { return false }
        return place / max(1, share) < dials.count - postponed.count
    }

    /// Whether a request waits.
    func isWaiting(_ request: RequestID) -> Bool { waiting.contains(request) }

    /// A request wants a connection; a `fresh` one if its last one turned out to be stale, or refused it. Where none is on its way, it
    /// does with a place on one that there is. The time and the patience are asked for only if it has to wait.
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
        // One that was sent on a stale connection has waited already.
        guard fresh || waiting.count < queue else { return .full }
        waiting.append(request)
        var closing: TransportConnectionID?
        if count >= limit, needsDial {
            // The one that has been idle longest makes room.
            closing = evictIdle()
        }
        let dial = startDial(for: request)
        if !isDialling, let connection = shared.take() {
            waiting.remove(request)
            return .use(connection)
        }
        return .wait(dial: dial, closing: closing, timer: waiting.begin(request, patience(), at: now()))
    }

    /// A dial has brought a connection, which carries so many `streams` at a time, or fewer if the server has said so on another;
    /// `nil`: one request. `yields` says whether a connection that nobody waits for has to make room for one to another host.
    mutating func dialSucceeded(
        _ dial: DialID, _ connection: TransportConnectionID, streams: Int? = nil,
        yields: @autoclosure () -> Bool = false
    ) -> PoolWork {
        openChannels += 1
        let requester = dials.removeValue(forKey: dial)
        postponed.remove(dial)
        // The server says how many only when the first requests have gone out, and refuses those beyond: what it said elsewhere counts.
        let streams = streams.map { min($0, allowed ?? $0) }
        speaks = streams.map { .several(allowed ?? max(1, $0)) } ?? .single
        guard let requester, !isShutDown else { return PoolWork(close: [connection]) }
        // It was dialled for this request, which may have asked for a fresh connection.
        let next = waiting.contains(requester) ? requester : waiting.first
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

    /// The requests that a connection with places left has to carry from now on.
    private mutating func fill(_ connection: TransportConnectionID) -> [PoolWork.Place] {
        var places: [PoolWork.Place] = []
        while let next = waiting.first, shared.take(on: connection) {
            waiting.remove(next)
            places.append(PoolWork.Place(request: next, connection: connection))
        }
        return places
    }

    /// Places for requests that wait while no dial is in progress.
    private mutating func places() -> [PoolWork.Place] {
        var places: [PoolWork.Place] = []
        while !isDialling, let next = waiting.first, let connection = shared.take() {
            waiting.remove(next)
            places.append(PoolWork.Place(request: next, connection: connection))
        }
        return places
    }

    /// The server has said how many requests a connection may carry.
    mutating func limited(_ connection: TransportConnectionID, streams: Int) -> PoolWork {
        if shared.contains(connection) {
            shared.setLimit(streams, of: connection)
            // One that takes none for a while may take some on another connection.
            let streams = max(1, streams)
            shared.lowerAssumed(to: streams)
            speaks = .several(streams)
            allowed = streams
        }
        return PoolWork(serve: fill(connection), start: startDials())
    }

    /// A connection takes no more requests; those that it carries go on.
    mutating func retired(_ connection: TransportConnectionID) -> PoolWork {
        shared.remove(connection) ? PoolWork(start: startDials()) : PoolWork()
    }

    /// A dial has failed.
    mutating func dialFailed(_ dial: DialID, _ failure: DialFailure) -> DialEnd {
        if failure == .noConnectivity, !isShutDown, let requester = dials[dial],
            let delay = waiting.postpone(requester)
        {
            postponed.insert(dial)
            // Others that waited for the same dial may not be willing to wait for the network.
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

    /// A dial waits for a permit. Those that wait for a connection meanwhile get places on connections that there are.
    mutating func postponed(_ dial: DialID) -> PoolWork {
        if dials[dial] != nil { postponed.insert(dial) }
        return PoolWork(serve: places())
    }

    /// A dial that waited is tried again. Returns the request that it is for now: the one that it was started for, or another that has
    /// no dial. Returns `nil` if no request needs the dial any more; the dial is over then.
    mutating func resumed(_ dial: DialID) -> RequestID? {
        postponed.remove(dial)
        guard let requester = dials[dial] else { return nil }
        // Others may have been started meanwhile that do for all that wait.
        if speaks != .single, dials.count - postponed.count - 1 >= dialsWanted {
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

    /// Gives up the connection that has been idle longest, so that another host can have one. It is to be closed.
    mutating func evictIdle() -> TransportConnectionID? {
        idle.isEmpty ? shared.removeIdle() : idle.removeFirst()
    }

    /// A connection has finished an exchange and can be used again. `yields` says whether a connection that nobody waits for has to make
    /// room for one to another host.
    mutating func released(_ connection: TransportConnectionID, yields: @autoclosure () -> Bool = false) -> Freed {
        if shared.contains(connection) { return left(connection, yields: yields()) }
        guard busy.remove(connection) != nil, !isShutDown else { return .discard }
        return settle(connection, next: waiting.first, yields: yields())
    }

    /// A connection is not used any more.
    mutating func closed(_ connection: TransportConnectionID) -> PoolWork {
        busy.remove(connection)
        idle.removeAll { $0 == connection }
        shared.remove(connection)
        return PoolWork(start: startDials())
    }

    /// A channel is closed.
    mutating func channelClosed() {
        openChannels -= 1
    }

    /// A connection has been idle for as long as it may. Returns whether to close it: it may have been lent meanwhile.
    mutating func expire(_ connection: TransportConnectionID) -> Bool {
        if shared.active(connection) == 0 { return shared.remove(connection) }
        guard let index = idle.firstIndex(of: connection) else { return false }
        idle.remove(at: index)
        return true
    }

    /// A request no longer waits. A dial that was started for it goes on: the next request will be glad of it.
    mutating func withdraw(_ request: RequestID) {
        waiting.remove(request)
    }

    /// The timer has fired that was armed for `due`.
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

    /// Takes no more requests if there is nothing here. Returns whether that is so: the pool can be forgotten then.
    mutating func retire() -> Bool {
        if isEmpty, waiting.first == nil, !isShutDown { life = .retired }
        return life == .retired
    }

    /// Nothing is lent any more.
    mutating func shutDown() -> PoolWork {
        life = .shutDown
        defer {
            for connection in shared.idle { shared.remove(connection) }
            idle = []
        }
        return PoolWork(fail: waiting.removeAll(), close: idle + shared.idle)
    }

    /// A request has left a connection that may carry several.
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

    /// What becomes of a connection that carries nothing.
    private mutating func parkOrYield(_ connection: TransportConnectionID, yields: @autoclosure () -> Bool) -> Freed {
        yields() && expire(connection) ? .discard : .park
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
    /// What is known about a server before it was dialled.
    init(_ target: DialTarget, _ versions: HTTPVersions) {
        if versions.assumesHTTP2 {
            self = .several(HTTP2Limits.assumedStreams)
        } else {
            self = versions == .http1Only || !target.isSecure ? .single : .unknown
        }
    }
}

extension PoolMachine.DialFailure {
    /// What an error says about the other requests that wait.
    init(_ error: TransportError) {
        self = error.code == .trustRefused ? .refused : error.code == .noConnectivity ? .noConnectivity : .unreachable
    }
}
