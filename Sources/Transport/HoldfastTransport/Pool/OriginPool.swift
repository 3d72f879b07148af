import HoldfastNIO
import Metrics
import NIOCore
import Synchronization
import Tracing

/// The connections to one host and port: the driver of ``PoolMachine``.
///
/// The machine is changed under the lock; what it asks for is done after the lock is released.
final class OriginPool: Sendable {
    fileprivate struct Storage {
        var machine: PoolMachine
        var connections: [ConnectionID: any PooledConnection] = [:]
        var waiting: [RequestID: Waiter] = [:]
        /// Channels that are open, those included that serve no more.
        var open: Set<ConnectionID> = []
        var dialsUnderway = 0
        /// When the timer of those that wait fires.
        var timerDue = NIODeadline.distantFuture
        var onEmpty: [CheckedContinuation<Void, Never>] = []
        /// Whether the client has forgotten the pool.
        var isRetired = false

        var isEmpty: Bool { open.isEmpty && dialsUnderway == 0 }
    }

    fileprivate struct Waiter {
        var exchange: Exchange
        /// When to look whether it has waited for too long.
        var due = NIODeadline.distantFuture
        /// How often the network was found to be absent.
        var postponements = 0
        /// When it began to wait, where that is measured.
        var since: NIODeadline?
    }

    let configuration: TransportConfiguration
    let target: DialTarget
    private let dialler: any Dialler
    private let budget: ConnectionBudget
    private let loops: any EventLoopGroup
    private let metrics: PoolMetrics?
    private let retries: Counter?
    /// Gives a request to the pool that has taken the place of this one.
    private let move: @Sendable (Exchange, Bool) -> Void
    private let storage: Mutex<Storage>

    init(
        target: DialTarget, configuration: TransportConfiguration, dialler: any Dialler, budget: ConnectionBudget,
        loops: any EventLoopGroup, metrics: PoolMetrics? = nil, retries: Counter? = nil,
        move: @escaping @Sendable (Exchange, Bool) -> Void = { exchange, _ in exchange.fail(shutDownError) }
    ) {
        self.move = move
        self.target = target
        self.configuration = configuration
        self.dialler = dialler
        self.budget = budget
        self.loops = loops
        self.metrics = metrics
        self.retries = retries
        self.storage = Mutex(
            Storage(
                machine: PoolMachine(
                    limit: configuration.maximumConnectionsPerHost, queue: configuration.limits.waitingRequests,
                    speaks: Self.speaks(target, configuration.httpVersions))))
    }

    /// The time by which deadlines are reckoned: the event loops'.
    var now: NIODeadline { loops.any().now }

    /// How many requests stand in the queue.
    var waitingCount: Int { storage.withLock { $0.waiting.count } }

    // MARK: Requests

    /// Gives a request a connection, at once or when there is one.
    func submit(_ exchange: Exchange, fresh: Bool = false) {
        if fresh { retries?.increment() }
        let (acquired, connection) = change { storage -> (PoolMachine.Acquired?, (any PooledConnection)?) in
            if storage.isRetired { return (nil, nil) }
            let acquired = storage.machine.acquire(exchange.id, fresh: fresh)
            switch acquired {
            case .use(let id):
                return (acquired, storage.connections[id])
            case .wait(let dial, let closing):
                storage.waiting[exchange.id] = Waiter(exchange: exchange, since: metrics.map { _ in now })
                if dial != nil { storage.dialsUnderway += 1 }
                return (acquired, closing.flatMap { storage.connections[$0] })
            case .full, .refuse:
                return (acquired, nil)
            }
        }
        switch acquired {
        case nil:
            move(exchange, fresh)
        case .use:
            metrics?.acquired()
            if let connection { lend(connection, to: exchange) }
        case .full:
            exchange.fail(
                TransportError(
                    .tooManyWaiting, in: .waiting,
                    "\(configuration.limits.waitingRequests) requests wait for a connection already."))
        case .refuse:
            exchange.fail(Self.shutDownError)
        case .wait(let dial, _):
            connection?.close()
            armTimer(for: exchange)
            if let dial { start(dial, for: exchange) }
            // A cancellation that came before the request stood in the queue found nothing to take out.
            if exchange.storage.withLock(\.machine.isOver) { withdraw(exchange) }
        }
    }

    /// Takes a request out of the queue. Does nothing if it is not in it.
    func withdraw(_ exchange: Exchange) {
        let waiter = change { storage in
            storage.machine.withdraw(exchange.id)
            return storage.waiting.removeValue(forKey: exchange.id)
        }
        leave(waiter, .failed)
    }

    /// Sends an exchange, whose connection is lost to it, again on another if that is harmless, or fails it.
    ///
    /// - Parameters:
    ///   - hasSent: Whether any byte of the request may have left.
    ///   - othersWereServed: Whether the connection was of use to others.
    func retryOrFail(_ exchange: Exchange, hasSent: Bool, othersWereServed: Bool = false, _ error: TransportError) {
        if exchange.detachForRetry(hasSent: hasSent, othersWereServed: othersWereServed) {
            submit(exchange, fresh: true)
        } else {
            exchange.detach()
            exchange.fail(error)
        }
    }

    // MARK: Connections

    /// A connection can be used again. Returns the exchange that it has to carry next; `nil`: it is idle now.
    func released(_ connection: any PooledConnection) -> Exchange? {
        let (freed, waiter) = change { storage in
            let freed = storage.machine.released(connection.id)
            return (freed, storage.waiter(of: freed))
        }
        leave(waiter, .served)
        if freed == .discard || (freed == .park && yields(connection)) { connection.close() }
        guard let next = waiter?.exchange else { return nil }
        guard dialler.hasJudged(connection.id) else {
            lend(connection, to: next)
            return nil
        }
        return next
    }

    /// Has a connection carry an exchange, once the policy now in force has seen it: that may have changed while the request waited.
    /// One that it refuses is cut, and the request asks for another.
    private func lend(_ connection: any PooledConnection, to exchange: Exchange) {
        guard !dialler.hasJudged(connection.id) else { return connection.run(exchange) }
        let loop = loops.next()
        let timer = loop.scheduleTask(deadline: deadline(of: exchange)) {
            if let deadline = exchange.deadline, deadline <= self.now {
                exchange.fail(TransportError(.timedOut, in: .total, "The request's total time is up."))
            } else {
                exchange.fail(
                    TransportError(.timedOut, in: .waiting, "No judgement by the changed policy came in time."))
            }
        }
        // A request that is given up meanwhile is found to be over by the connection.
        dialler.judgeAgain(connection.id, on: loop).whenComplete { _ in
            timer.cancel()
            self.lend(connection, to: exchange)
        }
    }

    /// The server has said how many requests a connection may carry. Returns the exchanges that it has to carry from now on.
    func limited(_ connection: any PooledConnection, streams: Int) -> [Exchange] {
        let (waiters, dials) = change { storage in
            storage.machine.limited(connection.id, streams: streams)
            let waiters = storage.waiters(of: storage.machine.fill(connection.id))
            return (waiters, storage.count(storage.machine.dialsDue()))
        }
        for waiter in waiters { leave(waiter, .served) }
        start(dials)
        guard dialler.hasJudged(connection.id) else {
            for waiter in waiters { lend(connection, to: waiter.exchange) }
            return []
        }
        return waiters.map(\.exchange)
    }

    /// A connection takes no more exchanges; those that it carries go on.
    func retired(_ connection: any PooledConnection) {
        start(change { $0.count($0.machine.retired(connection.id)) })
    }

    /// A connection serves no more.
    func gone(_ connection: any PooledConnection) {
        let dials = change { storage in
            storage.connections[connection.id] = nil
            return storage.count(storage.machine.closed(connection.id))
        }
        start(dials)
    }

    /// A connection has been idle for as long as it may. Returns whether it has to close.
    func expire(_ connection: any PooledConnection) -> Bool {
        change { $0.machine.expire(connection.id) }
    }

    /// Whether a connection that has just become idle has to make room for one to another host.
    private func yields(_ connection: any PooledConnection) -> Bool {
        budget.isStarved && expire(connection)
    }

    /// Closes an idle connection, so that another host can have one. Returns false if there is none.
    func evictIdle() -> Bool {
        let connection = change { storage in
            storage.machine.evictIdle().flatMap { storage.connections[$0] }
        }
        connection?.close()
        return connection != nil
    }

    // MARK: Dialling

    private func start(_ dials: [DialID]) {
        for dial in dials {
            let exchange = storage.withLock { storage in
                storage.machine.requester(of: dial).flatMap { storage.waiting[$0]?.exchange }
            }
            start(dial, for: exchange)
        }
    }

    private func start(_ dial: DialID, for exchange: Exchange?) {
        if budget.take() {
            connect(dial, for: exchange)
            return
        }
        storage.withLock { $0.machine.postponed(dial) }
        if budget.take(for: dial, of: self), !permitted(dial) { budget.give() }
        givePlaces()
    }

    /// Has those that wait for a connection that nobody dials do with those that there are.
    private func givePlaces() {
        let lent = change { storage in
            storage.machine.places().compactMap { request, id -> (Waiter, any PooledConnection)? in
                guard let waiter = storage.waiting.removeValue(forKey: request),
                    let connection = storage.connections[id]
                else {
                    return nil
                }
                return (waiter, connection)
            }
        }
        for (waiter, connection) in lent {
            leave(waiter, .served)
            lend(connection, to: waiter.exchange)
        }
    }

    private func connect(_ dial: DialID, for exchange: Exchange?) {
        // No phase outlasts the idle time-out of the request that it is for.
        let idle = exchange?.options.idleTimeout ?? configuration.connectTimeout
        let deadlines = DialDeadlines(
            connect: min(configuration.connectTimeout, idle), tls: min(configuration.tlsTimeout, idle),
            proxy: min(configuration.proxyTimeout, idle))
        let loop = loops.next()
        // The span of the dial is a child of the request's.
        let dialled =
            if let context = exchange?.context {
                ServiceContext.withValue(context) { dialler.dial(target, deadlines: deadlines, on: loop) }
            } else {
                dialler.dial(target, deadlines: deadlines, on: loop)
            }
        dialled.whenComplete { result in
            switch result {
            case .success(let dialled): self.dialled(dial, dialled)
            case .failure(let error): self.failed(dial, TransportError(connecting: error, to: self.target))
            }
        }
    }

    private func dialled(_ dial: DialID, _ dialled: Dialled) {
        let connection: any PooledConnection
        var streams: Int?
        do {
            if speaksHTTP2(dialled) {
                let multiplexed = try HTTP2Connection(dialled, pool: self)
                streams = multiplexed.initialStreams
                connection = multiplexed
            } else {
                connection = try HTTP1Connection(dialled, pool: self)
            }
        } catch {
            dialled.cut()
            failed(dial, TransportError(.connectionClosed, in: .connecting, "The connection was closed: \(error)."))
            return
        }
        let (freed, waiters, dials) = change { storage in
            storage.dialsUnderway -= 1
            storage.open.insert(connection.id)
            let freed = storage.machine.dialSucceeded(dial, connection.id, streams: streams)
            if freed != .discard { storage.connections[connection.id] = connection }
            var waiters = storage.waiter(of: freed).map { [$0] } ?? []
            waiters += storage.waiters(of: storage.machine.fill(connection.id))
            return (freed, waiters, storage.count(storage.machine.dialsDue()))
        }
        dialled.channel.closeFuture.whenComplete { _ in
            self.budget.give()
            self.finished { $0.open.remove(connection.id) }
        }
        for waiter in waiters { leave(waiter, .served) }
        // Before the requests: what has come already is no answer to them.
        dialled.begin()
        switch freed {
        case .serve, .keep:
            for waiter in waiters { lend(connection, to: waiter.exchange) }
        case .park where yields(connection): connection.close()
        case .park: connection.park()
        case .discard: connection.close()
        }
        start(dials)
        givePlaces()
    }

    /// The dialler has refused whatever was not offered.
    private func speaksHTTP2(_ dialled: Dialled) -> Bool {
        guard target.isSecure else { return configuration.httpVersions.assumesHTTP2 }
        return dialled.facts.applicationProtocol == HTTPVersions.http2Name
    }

    /// What is known about a server before it was dialled.
    private static func speaks(_ target: DialTarget, _ versions: HTTPVersions) -> PoolMachine.Speaks {
        if versions.assumesHTTP2 { return .several(HTTP2Limits.assumedStreams) }
        return versions == .http1Only || !target.isSecure ? .single : .unknown
    }

    private func failed(_ dial: DialID, _ error: TransportError) {
        if error.code == .noConnectivity, let delay = postpone(dial) {
            // Hosts that can be reached must not wait for one that cannot.
            budget.give()
            _ = loops.next().scheduleTask(in: delay) {
                if self.budget.take(for: dial, of: self), !self.permitted(dial) { self.budget.give() }
            }
            // Others that waited for the same dial may not be willing to wait for the network.
            start(change { $0.count($0.machine.dialsDue()) })
            return
        }
        let (failed, dials) = change { storage in
            let (fail, start) = storage.machine.dialFailed(
                dial, failsAll: error.code == .trustRefused, failsSharers: error.code != .noConnectivity)
            storage.dialsUnderway += start.count
            return (fail.compactMap { storage.waiting.removeValue(forKey: $0) }, start)
        }
        for waiter in failed {
            leave(waiter, .failed)
            waiter.exchange.fail(error)
        }
        start(dials)
        budget.give()
        finished { $0.dialsUnderway -= 1 }
    }

    /// Puts a dial off if the request that it is for waits for the network. Returns for how long.
    private func postpone(_ dial: DialID) -> TimeAmount? {
        storage.withLock { storage in
            guard let requester = storage.machine.requester(of: dial), !storage.machine.isShutDown,
                let waiter = storage.waiting[requester], waiter.exchange.options.waitsForConnectivity
            else { return nil }
            storage.machine.postponed(dial)
            storage.waiting[requester]?.postponements += 1
            // Half a second, doubled each time up to eight.
            return .milliseconds(500 << Int64(min(waiter.postponements, 4)))
        }
    }

    /// A dial that waited is tried, now that it has its permit. Returns false if nobody needs it any more.
    func permitted(_ dial: DialID) -> Bool {
        let (resumed, exchange) = storage.withLock { storage in
            let resumed = storage.machine.resumed(dial)
            let requester = storage.machine.requester(of: dial)
            return (resumed, requester.flatMap { storage.waiting[$0]?.exchange })
        }
        if resumed {
            connect(dial, for: exchange)
        } else {
            finished { $0.dialsUnderway -= 1 }
        }
        return resumed
    }

    // MARK: Time-outs of the queue

    private func armTimer(for exchange: Exchange) {
        arm(for: exchange, at: deadline(of: exchange))
    }

    /// How long a request may wait that begins to wait now.
    private func deadline(of exchange: Exchange) -> NIODeadline {
        let idle = now + TimeAmount(clamping: exchange.options.idleTimeout)
        return exchange.deadline.map { min($0, idle) } ?? idle
    }

    /// Has a waiting request looked at again, at a time. All share one timer, which is armed anew only for an earlier time: a
    /// timer for each would wake an event loop twice for every request that waits.
    private func arm(for exchange: Exchange, at due: NIODeadline) {
        let isEarlier = storage.withLock { storage in
            guard storage.waiting[exchange.id] != nil else { return false }
            storage.waiting[exchange.id]?.due = due
            guard due < storage.timerDue else { return false }
            storage.timerDue = due
            return true
        }
        if isEarlier { startTimer(at: due) }
    }

    private func startTimer(at due: NIODeadline) {
        _ = loops.next().scheduleTask(deadline: due) { [weak self] in self?.timerFired(at: due) }
    }

    private func timerFired(at due: NIODeadline) {
        let now = now
        let (exchanges, next) = storage.withLock { storage -> ([Exchange], NIODeadline) in
            // One that was armed for an earlier time has taken this one's place.
            guard storage.timerDue == due else { return ([], .distantFuture) }
            let waiters = storage.waiting.values
            storage.timerDue = waiters.lazy.map(\.due).filter { $0 > now }.min() ?? .distantFuture
            return (waiters.filter { $0.due <= now }.map(\.exchange), storage.timerDue)
        }
        if next < .distantFuture { startTimer(at: next) }
        for exchange in exchanges { timedOut(exchange) }
    }

    private func timedOut(_ exchange: Exchange) {
        if let deadline = exchange.deadline, deadline <= now {
            withdraw(exchange)
            exchange.fail(TransportError(.timedOut, in: .total, "The request's total time is up."))
            return
        }
        let (isWaiting, isDialling) = storage.withLock { storage in
            (storage.machine.isWaiting(exchange.id), storage.machine.isDialling(for: exchange.id))
        }
        guard isWaiting else { return }
        if isDialling {
            // A dial for this request has time-outs of its own, and they name the phase.
            armTimer(for: exchange)
        } else if exchange.options.waitsForConnectivity, let deadline = exchange.deadline {
            arm(for: exchange, at: deadline)
        } else {
            withdraw(exchange)
            exchange.fail(TransportError(.timedOut, in: .waiting, "No connection became free in time."))
        }
    }

    // MARK: Measuring

    /// Changes the state, and tells what it has done to the numbers that are measured.
    private func change<R>(_ body: (inout Storage) -> R) -> R {
        guard let metrics else { return storage.withLock { body(&$0) } }
        let (result, old, new) = storage.withLock { storage in
            let old = storage.levels
            let result = body(&storage)
            return (result, old, storage.levels)
        }
        metrics.changed(from: old, to: new)
        return result
    }

    /// A request no longer waits.
    private func leave(_ waiter: Waiter?, _ end: PoolMetrics.WaitEnd) {
        guard let waiter else { return }
        if let metrics, let since = waiter.since { metrics.left(end, after: now - since) }
    }

    // MARK: Shut-down

    /// Closes idle connections, fails what waits, and lends nothing any more. What is under way goes on.
    func drain() {
        let (idle, waiters) = change { storage in
            let (idle, _, fail) = storage.machine.shutDown()
            return (
                idle.compactMap { storage.connections[$0] },
                fail.compactMap { storage.waiting.removeValue(forKey: $0) }
            )
        }
        for waiter in waiters {
            leave(waiter, .failed)
            waiter.exchange.fail(Self.shutDownError)
        }
        for connection in idle { connection.close() }
    }

    /// Fails what is under way.
    func cut() {
        for connection in storage.withLock({ Array($0.connections.values) }) {
            connection.fail(Self.shutDownError)
        }
    }

    /// Takes no more requests if there is nothing here. Returns whether that is so: the pool can be forgotten then.
    func retire() -> Bool {
        storage.withLock { storage in
            if storage.isEmpty, storage.waiting.isEmpty, !storage.machine.isShutDown { storage.isRetired = true }
            return storage.isRetired
        }
    }

    /// Returns when no channel is open and no dial under way.
    func whenEmpty() async {
        await withCheckedContinuation { continuation in
            let isEmpty = storage.withLock { storage in
                if !storage.isEmpty { storage.onEmpty.append(continuation) }
                return storage.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }

    private func finished(_ change: (inout Storage) -> Void) {
        let continuations = self.change { storage in
            change(&storage)
            guard storage.isEmpty else { return [] as [CheckedContinuation<Void, Never>] }
            defer { storage.onEmpty = [] }
            return storage.onEmpty
        }
        for continuation in continuations { continuation.resume() }
    }

    static var shutDownError: TransportError {
        TransportError(.shutDown, in: .waiting, "The client has been shut down.")
    }
}

extension OriginPool.Storage {
    /// What is measured.
    fileprivate var levels: PoolMetrics.Levels {
        PoolMetrics.Levels(open: open.count, idle: machine.idleCount, waiting: waiting.count)
    }

    /// Takes out the request that a freed connection has to serve.
    fileprivate mutating func waiter(of freed: PoolMachine.Freed) -> OriginPool.Waiter? {
        guard case .serve(let request) = freed else { return nil }
        return waiting.removeValue(forKey: request)
    }

    /// Takes out the requests that a connection has to serve.
    fileprivate mutating func waiters(of requests: [RequestID]) -> [OriginPool.Waiter] {
        requests.compactMap { waiting.removeValue(forKey: $0) }
    }

    /// Counts dials that are about to start.
    fileprivate mutating func count(_ dials: [DialID]) -> [DialID] {
        dialsUnderway += dials.count
        return dials
    }
}
