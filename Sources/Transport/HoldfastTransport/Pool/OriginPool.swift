import HoldfastNIO
import Metrics
import NIOCore
import Synchronization
import Tracing

/// The connections to one host and port: the driver of ``PoolMachine``.
///
/// The machine is changed under the lock; what it asks for is done after the lock is released.
final class OriginPool: Sendable {
    let configuration: TransportConfiguration
    let target: DialTarget
    private let dialler: any Dialler
    private let budget: ConnectionBudget
    private let loops: any EventLoopGroup
    private let metrics: PoolMetrics?
    private let retries: Counter?
    /// Gives a request to the pool that has taken the place of this one.
    private let move: @Sendable (Exchange, Bool) -> Void
    private let state: Mutex<PoolState>

    init(
        target: DialTarget, configuration: TransportConfiguration, dialler: any Dialler, budget: ConnectionBudget,
        loops: any EventLoopGroup, metrics: PoolMetrics? = nil, retries: Counter? = nil,
        move: @escaping @Sendable (Exchange, Bool) -> Void = { exchange, _ in exchange.fail(TransportError.shutDown) }
    ) {
        self.move = move
        self.target = target
        self.configuration = configuration
        self.dialler = dialler
        self.budget = budget
        self.loops = loops
        self.metrics = metrics
        self.retries = retries
        let machine = PoolMachine(
            limit: configuration.maximumConnectionsPerHost, queue: configuration.limits.waitingRequests,
            speaks: PoolMachine.Speaks(target, configuration.httpVersions))
        self.state = Mutex(PoolState(machine))
    }

    /// How many requests stand in the queue.
    var waitingCount: Int { state.withLock(\.waitingCount) }

    /// The time by which deadlines are reckoned: the event loops'.
    private var now: NIODeadline { loops.any().now }

    // MARK: Requests

    /// Gives a request a connection, at once or when there is one.
    func submit(_ exchange: Exchange, fresh: Bool = false) {
        if fresh { retries?.increment() }
        let (acquired, connection) = change {
            $0.acquire(exchange, fresh: fresh, isMeasured: metrics != nil, at: now)
        }
        switch acquired {
        case .use:
            metrics?.acquired()
            if let connection { lend(connection, to: exchange) }
        case .wait(let dial, _, let timer):
            connection?.handler.perform { $0.close() }
            if let timer { startTimer(at: timer) }
            if let dial { start(dial, for: exchange) }
            // A cancellation that came before the request stood in the queue found nothing to take out.
            if exchange.isOver { withdraw(exchange) }
        case .full:
            exchange.fail(
                TransportError(
                    .tooManyWaiting, in: .waiting,
                    "\(configuration.limits.waitingRequests) requests wait for a connection already."))
        case .elsewhere:
            move(exchange, fresh)
        case .refuse:
            exchange.fail(TransportError.shutDown)
        }
    }

    /// Takes a request out of the queue, if it is in it.
    func withdraw(_ exchange: Exchange) {
        if let waiter = change({ $0.withdraw(exchange.id) }) { left(waiter, .failed) }
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

    /// Has a connection carry an exchange, once the policy now in force has seen it: that may have changed while the request waited.
    /// One that it refuses is cut, and the request asks for another.
    private func lend(_ connection: PooledConnection, to exchange: Exchange) {
        guard !dialler.hasJudged(connection.id) else { return connection.handler.perform { $0.start(exchange) } }
        let loop = loops.next()
        let timer = loop.scheduleTask(deadline: exchange.patience.due(from: now)) {
            let tooLong = TransportError.waitedTooLong("No judgement by the changed policy came in time.")
            exchange.fail(exchange.deadline.map { $0 <= self.now } ?? false ? TransportError.totalTimeIsUp : tooLong)
        }
        // A request that is given up meanwhile is found to be over by the connection.
        dialler.judgeAgain(connection.id, on: loop).whenComplete { _ in
            timer.cancel()
            self.lend(connection, to: exchange)
        }
    }

    // MARK: Connections

    /// A connection can be used again. Returns the exchange that it has to carry next; `nil`: it is idle now.
    func released(_ connection: PooledConnection) -> Exchange? {
        let (freed, waiter) = change { $0.released(connection, yields: budget.isStarved) }
        if freed == .discard { connection.handler.perform { $0.close() } }
        guard let waiter else { return nil }
        left(waiter, .served)
        if dialler.hasJudged(connection.id) { return waiter.exchange }
        lend(connection, to: waiter.exchange)
        return nil
    }

    /// The server has said how many requests a connection may carry.
    func limited(_ connection: PooledConnection, streams: Int) {
        perform(change { $0.errand { $0.limited(connection.id, streams: streams) } })
    }

    /// A connection takes no more exchanges; those that it carries go on.
    func retired(_ connection: PooledConnection) {
        perform(change { $0.errand { $0.retired(connection.id) } })
    }

    /// A connection serves no more.
    func gone(_ connection: PooledConnection) {
        perform(change { $0.gone(connection.id) })
    }

    /// A connection has been idle for as long as it may. Returns whether it has to close.
    func expire(_ connection: PooledConnection) -> Bool {
        change { $0.handle { $0.expire(connection.id) } }
    }

    /// Closes an idle connection, so that another host can have one. Returns false if there is none.
    func evictIdle() -> Bool {
        guard let connection = change({ $0.evictIdle() }) else { return false }
        connection.handler.perform { $0.close() }
        return true
    }

    // MARK: Dialling

    private func start(_ dial: DialID, for exchange: Exchange) {
        if budget.take() { return connect(dial, for: exchange) }
        let errand = change { $0.errand { $0.postponed(dial) } }
        budget.resume(dial, of: self)
        perform(errand)
    }

    /// A dial that waited is tried, now that it has its permit. Returns false if nobody needs it any more.
    func permitted(_ dial: DialID) -> Bool {
        guard let exchange = state.withLock({ $0.resumed(dial) }) else {
            finished { _ in }
            return false
        }
        connect(dial, for: exchange)
        return true
    }

    private func connect(_ dial: DialID, for exchange: Exchange) {
        let deadlines = DialDeadlines(configuration, limit: exchange.options.idleTimeout)
        let loop = loops.next()
        // The span of the dial is a child of the request's.
        let dialled =
            if let context = exchange.context {
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
        let connection: PooledConnection
        do {
            connection = try dialled.connection(of: self)
        } catch {
            dialled.cut()
            return failed(
                dial, TransportError(.connectionClosed, in: .connecting, "The connection was closed: \(error)."))
        }
        let errand = change { $0.dialSucceeded(dial, connection, yields: budget.isStarved) }
        dialled.channel.closeFuture.whenComplete { _ in
            self.budget.give()
            self.finished { $0.handle { $0.channelClosed() } }
        }
        // Before the requests: what has come already is no answer to them.
        dialled.begin()
        perform(errand)
    }

    private func failed(_ dial: DialID, _ error: TransportError) {
        let (delay, errand) = change { $0.dialFailed(dial, PoolMachine.DialFailure(error)) }
        guard let delay else {
            perform(errand, failing: error)
            budget.give()
            return finished { $0.dialEnded() }
        }
        // Hosts that can be reached must not wait for one that cannot.
        budget.give()
        _ = loops.next().scheduleTask(in: delay) { self.budget.resume(dial, of: self) }
        perform(errand)
    }

    // MARK: The machine

    /// Changes the state, and tells what it has done to the numbers that are measured.
    private func change<R>(_ body: (inout PoolState) -> R) -> R {
        guard let metrics else { return state.withLock { body(&$0) } }
        let (result, old, new) = state.withLock { state in
            let old = state.levels
            let result = body(&state)
            return (result, old, state.levels)
        }
        metrics.changed(from: old, to: new)
        return result
    }

    /// Does what the machine asks for; `error` is for the requests that fail.
    private func perform(_ errand: PoolState.Errand, failing error: TransportError = .shutDown) {
        fail(errand.failed, error)
        for (waiter, connection) in errand.served {
            left(waiter, .served)
            lend(connection, to: waiter.exchange)
        }
        errand.parked?.handler.perform { $0.park() }
        for connection in errand.closing { connection.handler.perform { $0.close() } }
        for dial in errand.dials { start(dial.id, for: dial.exchange) }
    }

    private func fail(_ waiters: [PoolState.Waiter], _ error: TransportError) {
        for waiter in waiters {
            left(waiter, .failed)
            waiter.exchange.fail(error)
        }
    }

    /// A request no longer waits.
    private func left(_ waiter: PoolState.Waiter, _ end: PoolMetrics.WaitEnd) {
        if let metrics, let since = waiter.since { metrics.left(end, after: now - since) }
    }

    private func startTimer(at due: NIODeadline) {
        _ = loops.next().scheduleTask(deadline: due) { [weak self] in self?.timerFired(at: due) }
    }

    private func timerFired(at due: NIODeadline) {
        let (total, waiting, timer) = change { $0.timerFired(at: due, now: now) }
        if let timer { startTimer(at: timer) }
        fail(total, .totalTimeIsUp)
        fail(waiting, .waitedTooLong("No connection became free in time."))
    }

    // MARK: Shut-down

    /// Closes idle connections, fails what waits, and lends nothing any more. What is under way goes on.
    func drain() {
        perform(change { $0.errand { $0.shutDown() } })
    }

    /// Fails what is under way.
    func cut() {
        for connection in state.withLock(\.allConnections) { connection.handler.perform { $0.fail(.shutDown) } }
    }

    /// Takes no more requests if there is nothing here. Returns whether that is so: the pool can be forgotten then.
    func retire() -> Bool { state.withLock { $0.retire() } }

    /// Returns when no channel is open and no dial under way.
    func whenEmpty() async {
        await withCheckedContinuation { continuation in
            if !state.withLock({ $0.whenEmpty(continuation) }) { continuation.resume() }
        }
    }

    private func finished(_ body: (inout PoolState) -> Void) {
        let continuations = change { state in
            body(&state)
            return state.takeWhenEmpty()
        }
        for continuation in continuations { continuation.resume() }
    }
}
